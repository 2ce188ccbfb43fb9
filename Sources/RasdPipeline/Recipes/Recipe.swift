package import RasdModel

/// A command line in a file: what `rasdkit run` does (Docs/recipe.schema.json).
///
/// A recipe says nothing that options could not; it is turned into them, its relative paths
/// made relative to the recipe, and options given by hand win over it.
package struct Recipe: Sendable {
  package let command: String
  /// What the command takes beside options: sources, databases.
  package let operands: [String]
  /// Options by name, with dashes; a flag's value is empty.
  package let options: [(name: String, value: String)]

  /// The only version there is.
  private static let version: Int64 = 1
  /// Those that take sources and policy; nobody needs a recipe to change keys, or a recipe in one.
  private static let commands: Set<String> = [
    "verify", "consolidate", "salvage", "migrate", "export", "inspect", "check", "digest",
  ]

  /// - Throws: `recipe-invalid` with the pointer of what breaks the schema.
  package init(_ json: JSONValue, folder: String) throws(RasdError) {
    guard json["recipe"]?.int == Self.version else { throw .recipe("/recipe") }
    guard let command = json["command"]?.string, Self.commands.contains(command) else {
      throw .recipe("/command")
    }
    var reader = RecipeReader(folder: folder)
    for member in json.members ?? [] {
      let place = "/\(member.name)"
      switch member.name {
      case "recipe", "command", "title": break
      case "sources": reader.operands = try reader.paths(member.value, at: place)
      default: try reader.take(member, at: place)
      }
    }
    self.command = command
    operands = reader.operands
    options = reader.options
  }
}

/// Collects a recipe's members as options.
private struct RecipeReader {
  let folder: String
  var operands: [String] = []
  var options: [(name: String, value: String)] = []

  mutating func take(_ member: JSONValue.Member, at place: String) throws(RasdError) {
    if let known = RecipeMember.top[member.name] {
      try take(member.value, as: known, at: place)
    } else if let group = RecipeMember.groups[member.name] {
      guard let members = member.value.members else { throw .recipe(place) }
      for inner in members {
        let innerPlace = "\(place)/\(inner.name)"
        guard let known = group[inner.name] else { throw .recipe(innerPlace) }
        try take(inner.value, as: known, at: innerPlace)
      }
    } else {
      throw .recipe(place)
    }
  }

  private mutating func take(
    _ value: JSONValue,
    as member: RecipeMember,
    at place: String
  ) throws(RasdError) {
    switch member.kind {
    case .flag:
      guard let flag = value.bool else { throw .recipe(place) }
      if flag { options.append((member.option, "")) }
    case .text:
      options.append((member.option, try text(value, at: place)))
    case .path:
      options.append((member.option, absolute(try text(value, at: place))))
    case .nameOrPath:
      let text = try text(value, at: place)
      options.append((member.option, text.hasSuffix(".json") ? absolute(text) : text))
    case .texts:
      for text in try texts(value, at: place) { options.append((member.option, text)) }
    case .list:
      options.append((member.option, try texts(value, at: place).joined(separator: ",")))
    case .paths:
      for path in try paths(value, at: place) { options.append((member.option, path)) }
    case .namedPaths:
      guard let members = value.members else { throw .recipe(place) }
      for inner in members {
        let path = absolute(try text(inner.value, at: "\(place)/\(inner.name)"))
        options.append((member.option, "\(inner.name)=\(path)"))
      }
    }
  }

  func paths(_ value: JSONValue, at place: String) throws(RasdError) -> [String] {
    try texts(value, at: place).map(absolute)
  }

  private func texts(_ value: JSONValue, at place: String) throws(RasdError) -> [String] {
    guard let items = value.array else { throw .recipe(place) }
    var found: [String] = []
    for (i, item) in items.enumerated() { found.append(try text(item, at: "\(place)/\(i)")) }
    return found
  }

  private func text(_ value: JSONValue, at place: String) throws(RasdError) -> String {
    // A NUL would end the text where the system reads it.
    guard let text = value.string, !text.isEmpty, !text.utf8.contains(0) else {
      throw .recipe(place)
    }
    return text
  }

  /// Relative paths are relative to the recipe; `-` is no path.
  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") || path == "-" || folder.isEmpty ? path : "\(folder)/\(path)"
  }
}

extension RasdError {
  fileprivate static func recipe(_ pointer: String) -> RasdError {
    RasdError(.unavailable, .recipeInvalid, ["pointer": .text(pointer)])
  }
}
