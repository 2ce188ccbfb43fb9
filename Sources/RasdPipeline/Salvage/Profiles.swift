import RasdContainer
import RasdModel
import RasdSalvage

/// The profiles that the program carries, and those that a person gives.
enum Profiles {
  /// All that are shipped, where none is named; else those that are, by name or by file.
  static func load(_ names: [String]) throws(RasdError) -> [Profile] {
    let known = try shipped()
    if names.isEmpty { return known }
    var profiles: [Profile] = []
    for name in names {
      if name == "generic" { continue }
      profiles.append(try profile(name, among: known))
    }
    return profiles
  }

  private static func profile(_ name: String, among known: [Profile]) throws(RasdError) -> Profile {
    for profile in known where profile.name == name { return profile }
    if PathFacts.exists(name) {
      let text = try SmallFile.read(name)
      return try Profile(json: text.span)
    }
    throw RasdError(.unavailable, .notFound, ["path": .text(name)])
  }

  private static func shipped() throws(RasdError) -> [Profile] {
    var profiles: [Profile] = []
    for text in [
      PackageResources.rasd_native_json, PackageResources.openkeep_cache_json,
      PackageResources.guidebook_mirror_json, PackageResources.device_only_kv_json,
    ] {
      profiles.append(try Profile(json: text.span))
    }
    return profiles
  }
}
