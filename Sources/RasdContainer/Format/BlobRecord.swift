package import RasdModel

/// A line of the inventory, `blobs.jsonl` (the format, §Entries).
package struct BlobRecord: Hashable, Sendable {
  package let id: BlobID
  package let bytes: Int
  package let parts: Int
  package let sha256: SHA256Digest
  /// Nil for a blob of unknown type.
  package let mime: String?

  package init(id: BlobID, bytes: Int, parts: Int, sha256: SHA256Digest, mime: String?) {
    (self.id, self.bytes, self.parts) = (id, bytes, parts)
    (self.sha256, self.mime) = (sha256, mime)
  }

  /// Nil where the line is not such a record.
  init?(line: Span<UInt8>) {
    guard let json = try? JSONValue.parse(line),
      let id = json["id"]?.string.flatMap(BlobID.init),
      let bytes = json["bytes"]?.int, bytes >= 0, let parts = json["parts"]?.int, parts >= 1,
      let sha256 = json["sha256"]?.string.flatMap({ SHA256Digest(hex: $0) })
    else { return nil }
    self.init(
      id: id,
      bytes: Int(bytes),
      parts: Int(parts),
      sha256: sha256,
      mime: json["mime"]?.string
    )
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(id.text)),
      .init("bytes", .number(JSONNumber(Int64(bytes)))),
      .init("parts", .number(JSONNumber(Int64(parts)))),
      .init("sha256", .string(sha256.hex)),
    ]
    if let mime { members.append(.init("mime", .string(mime))) }
    return .object(members)
  }
}

extension [BlobRecord] {
  /// The types of the blobs whose type is known.
  package var mimes: [BlobID: String] {
    let typed = compactMap { record in record.mime.map { (record.id, $0) } }
    return Dictionary(typed, uniquingKeysWith: { first, _ in first })
  }
}
