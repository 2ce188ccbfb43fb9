package import RasdCrypto
package import RasdModel

/// How an export's entries are sealed (the format, §manifest.json).
package enum Suite: String, Hashable, Sendable, CaseIterable {
  case chunked = "c2sp-chunked-aes256gcm-sha512"
  case envelope = "a256gcm-envelope"
  case none
}

/// What an export says of itself in the clear: `manifest.json` (the format, §manifest.json).
package struct Manifest: Sendable {
  /// The exact bytes, which `meta.json` and `end.json` are bound to.
  package let bytes: [UInt8]
  package let exportID: ExportID
  package let namespace: Namespace
  /// As written: one that is no time is for the merge to notice.
  package let exportedAt: String
  package let storageVersion: Int64
  package let tables: [TableName]
  package let suite: Suite
  /// A label for people.
  package let encryptedTo: String?
  /// Empty under suite `none`, as `slots` is.
  package let keyCommitment: [UInt8]
  package let slots: [KeySlot]

  /// A manifest is read whole before anything is known of it.
  package static let longest = 64 << 10
  package static let mostTables = 256
  /// The storage version that rows are written in and merged from.
  package static let storageVersion: Int64 = 1
  /// What the file begins with, by which it is found in a damaged archive.
  static let head = Array(#"{"rasdx":1,"#.utf8)
  /// The members that `crit` may name.
  private static let known: Set<String> = [
    "rasdx", "rasd", "exportId", "storageVersion", "namespace", "exportedAt", "tables",
    "encryptedTo", "suite", "keyCommit", "slots", "crit",
  ]

  package var digest: SHA256Digest { SHA256.digest(bytes.span) }

  /// Throws `unsupported-version` for a format of the future, `manifest-invalid` for what breaks
  /// the rules of this one.
  package init(_ bytes: [UInt8]) throws(RasdError) {
    guard bytes.count <= Self.longest else { throw Self.invalid("size") }
    let json = try Self.parse(bytes)
    try Self.checkVersion(json)
    guard bytes.starts(with: Self.head) else { throw Self.invalid("rasdx") }
    self.bytes = bytes
    exportID = try Self.read(json, "exportId") { $0.string.flatMap(ExportID.init) }
    namespace = try Self.read(json, "namespace") { $0.string.flatMap { Namespace($0) } }
    exportedAt = try Self.read(json, "exportedAt") { $0.string }
    storageVersion = try Self.read(json, "storageVersion") { value in
      value.int.flatMap { $0 >= 0 ? $0 : nil }
    }
    tables = try Self.read(json, "tables") { $0.array.flatMap(Self.tables) }
    suite = try Self.read(json, "suite") { $0.string.flatMap(Suite.init) }
    if json["rasd"] != nil { _ = try Self.read(json, "rasd") { $0.string } }
    guard suite != .none else {
      for member in ["encryptedTo", "keyCommit", "slots"] where json[member] != nil {
        throw Self.invalid(member)
      }
      (encryptedTo, keyCommitment, slots) = (nil, [], [])
      return
    }
    encryptedTo =
      json["encryptedTo"] == nil ? nil : try Self.read(json, "encryptedTo") { $0.string }
    keyCommitment = try Self.read(json, "keyCommit") { value in
      value.string.flatMap { Base64URL.decode($0) }
        .flatMap { $0.count == ContentKey.commitmentSize ? $0 : nil }
    }
    slots = try KeySlot.read(json["slots"])
  }

  private static func parse(_ bytes: [UInt8]) throws(RasdError) -> JSONValue {
    do {
      let json = try JSONValue.parse(bytes)
      guard json.members != nil else { throw invalid("object") }
      return json
    } catch let error as JSONError {
      throw RasdError(
        .integrity,
        .manifestInvalid,
        ["fault": .text(error.fault.rawValue), "offset": .number(Int64(error.offset))]
      )
    } catch let error as RasdError {
      throw error
    } catch {
      throw invalid("object")
    }
  }

  /// What says that a newer program is needed comes before every other rule.
  ///
  /// A later format may have changed those. A newer `storageVersion` alone is no obstacle.
  private static func checkVersion(_ json: JSONValue) throws(RasdError) {
    if let version = json["rasdx"]?.number, version.double > 1 {
      throw unsupported("rasdx", version.text)
    }
    if let critical = json["crit"] {
      guard let names = critical.array?.map(\.string) else { throw invalid("crit") }
      for name in names {
        guard let name else { throw invalid("crit") }
        guard known.contains(name) else { throw unsupported("crit", name) }
      }
    }
    if let suite = json["suite"]?.string, Suite(rawValue: suite) == nil {
      throw unsupported("suite", suite)
    }
  }

  private static func tables(_ items: [JSONValue]) -> [TableName]? {
    let tables = items.compactMap { $0.string.flatMap { TableName($0) } }
    // Two tables whose entries' names are equal but for case can't both be there.
    let folded = Set(tables.map { $0.text.lowercased() })
    guard tables.count == items.count, tables.count <= mostTables, folded.count == tables.count
    else { return nil }
    return tables
  }

  private static func read<Value>(
    _ json: JSONValue,
    _ member: String,
    _ convert: (JSONValue) -> Value?
  ) throws(RasdError) -> Value {
    guard let value = json[member].flatMap(convert) else { throw invalid(member) }
    return value
  }

  private static func invalid(_ member: String) -> RasdError {
    RasdError(.integrity, .manifestInvalid, ["member": .text(member)])
  }

  private static func unsupported(_ member: String, _ value: String) -> RasdError {
    RasdError(.downgrade, .unsupportedVersion, ["member": .text(member), "value": .text(value)])
  }
}
