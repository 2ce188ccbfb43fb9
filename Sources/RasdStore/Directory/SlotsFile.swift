internal import RasdCrypto
internal import RasdModel

/// The key slots of a store, in a file that stands twice: any slot opens the store, and either
/// file is enough.
///
/// It says which store it is, which writing of the slots, and the SHA-256 of the rest, so that
/// a damaged copy is told from a whole one before a key is tried on it.
struct SlotsFile {
  var storeId: ExportID
  /// Counts up with each writing: of two whole copies the later is the store's.
  var generation: Int64
  var commitment: [UInt8]
  var slots: [KeySlot]

  /// What is read of it: 32 slots of the longest kind are about 20 KiB.
  static let longest = 65_536

  func unlock(_ credentials: Credentials) throws(RasdError) -> ContentKey {
    try credentials.unlock(slots, of: storeId, commitment: commitment, namespace: nil).contentKey
  }

  // MARK: On disk

  static func read(_ directory: StoreDirectory) throws(RasdError) -> SlotsFile {
    let copies = [directory.keys, directory.keysCopy].compactMap { read(path: $0) }
    guard let latest = copies.max(by: { $0.generation < $1.generation }) else {
      guard directory.holdsStore else {
        throw RasdError(.notOpen, .storeMissing, ["path": .text(directory.path)])
      }
      throw RasdError(.corrupt, .storeDamaged, ["path": .text(directory.keys)])
    }
    return latest
  }

  /// Writes both files, the first safe on disk before the second is touched.
  func write(_ directory: StoreDirectory) throws(RasdError) {
    let bytes = text()
    try File.replace(directory.keys, with: bytes.span)
    try File.syncDirectory(directory.path)
    try File.replace(directory.keysCopy, with: bytes.span)
    try File.syncDirectory(directory.path)
  }

  /// Writes both files again where one is not what the other is.
  func mend(_ directory: StoreDirectory) throws(RasdError) {
    let copies = [directory.keys, directory.keysCopy].map { Self.read(path: $0)?.generation }
    if copies != [generation, generation] { try write(directory) }
  }

  private static func read(path: String) -> SlotsFile? {
    guard let file = try? File.open(path), let bytes = try? file.read(longest, at: 0) else {
      return nil
    }
    return SlotsFile(bytes)
  }

  // MARK: Text

  func text() -> [UInt8] {
    var bytes = Self.canonical(
      .object([
        .init("rasdkitStore", 1), .init("storeId", .string(storeId.text)),
        .init("generation", .number(JSONNumber(generation))),
        .init("keyCommit", .string(Base64URL.encode(commitment))),
        .init("slots", .array(slots.compactMap(\.json))),
      ])
    )
    let check = SHA256.digest(bytes.span).hex
    bytes.removeLast()
    bytes.append(contentsOf: ",\"sha256\":\"\(check)\"}\n".utf8)
    return bytes
  }

  /// Nil where the bytes are not whole.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue.parse(bytes), var members = json.members,
      json["rasdkitStore"]?.int == 1,
      let id = json["storeId"]?.string.flatMap({ ExportID($0) }),
      let generation = json["generation"]?.int,
      let commitment = json["keyCommit"]?.string.flatMap({ Base64URL.decode($0) }),
      let check = json["sha256"]?.string, let slots = try? KeySlot.read(json["slots"])
    else { return nil }
    members.removeAll { $0.name == "sha256" }
    guard SHA256.digest(Self.canonical(.object(members)).span).hex == check else { return nil }
    (storeId, self.generation, self.commitment, self.slots) = (id, generation, commitment, slots)
  }

  init(storeId: ExportID, key: ContentKey, slots: [KeySlot]) {
    self.storeId = storeId
    generation = 1
    commitment = key.commitment(for: storeId)
    self.slots = slots
  }

  private static func canonical(_ value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    return bytes
  }
}
