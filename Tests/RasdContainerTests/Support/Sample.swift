import Foundation
import RasdContainer
import RasdCrypto
import RasdModel
import TestSupport
import Testing

/// A small export made by the product's own writer, and the keys that open it.
struct Sample {
  static let passphrase = "correct horse بطارية"
  static let rawKey = [UInt8](0..<32)
  static let identity = Identity.make(.x25519)
  static let id = "0199a7c2-1111-7222-8333-444455556666"

  var tables: [TableName] = [.forms, .submissions, .attachments, .kv]
  var rows: [TableName: [String]] = [:]
  var blobs: [(id: String, mime: String?, bytes: [UInt8])] = []
  var suite = Suite.chunked
  var sizes = ExportWriter.PartSizes()
  var exportID = Sample.id
  var namespace = "wfp-jo.u_4821"
  var meta: JSONValue = ["device": "d1", "app": "rasd", "exportSeq": 3, "origin": "device"]
  var recipients: [ExportRecipient] = []

  /// Two forms, three submissions, three blobs of which one is empty and one is in parts.
  static func small(_ suite: Suite = .chunked) throws -> Sample {
    var sample = Sample()
    sample.suite = suite
    sample.sizes = .init(rows: 120, blobs: 700)
    sample.blobs = [
      ("photo-1", "image/jpeg", (0..<1500).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }),
      ("basemap:amman#0", nil, Array("tiles".utf8)), ("empty", "text/plain", []),
    ]
    sample.rows[.forms] = ["f1", "f2"].map { #"{"id":"\#($0)","version":"1","title":"نموذج"}"# }
    sample.rows[.submissions] = (0..<4).map {
      #"{"id":"s\#($0)","formId":"f1","status":"draft","clientRev":\#($0),"data":{"age":4\#($0)}}"#
    }
    sample.rows[.attachments] = sample.blobs.map { blob in
      let digest = SHA256.digest(blob.bytes.span).hex
      return
        #"{"id":"\#(blob.id)","submissionId":"s1","status":"pending","bytes":\#(blob.bytes.count),"sha256":"\#(digest)"}"#
    }
    if suite != .none { sample.recipients = try all }
    return sample
  }

  static var all: [ExportRecipient] {
    get throws {
      [
        .rawKey(RawKey(Secret(copying: rawKey.span)), kid: "k1"),
        .publicKey(identity.recipient),
        .passphrase(try Passphrase(passphrase), iterations: 100_000),
      ]
    }
  }

  static var keys: Credentials {
    var keys = Credentials()
    keys.add(.rawKey(RawKey(Secret(copying: rawKey.span))), source: "test")
    return keys
  }

  @discardableResult
  func write(to path: String) throws -> EndRecord {
    let draft = ExportDraft(
      exportID: try #require(ExportID(exportID)),
      namespace: try #require(Namespace(namespace)),
      exportedAt: "2026-09-03T14:05:11.000Z",
      tables: tables,
      meta: meta,
      suite: suite,
      recipients: recipients,
      encryptedTo: suite == .none ? nil : "test"
    )
    let writer = try ExportWriter(to: path, draft, replacing: true, sizes: sizes)
    for table in tables {
      for row in rows[table] ?? [] { try writer.write(Array(row.utf8).span, to: table) }
    }
    for blob in blobs {
      try writer.beginBlob(try #require(BlobID(blob.id)), mime: blob.mime)
      for start in stride(from: 0, to: blob.bytes.count, by: 333) {
        try writer.append(Array(blob.bytes[start...].prefix(333)).span)
      }
      try writer.endBlob()
    }
    return try writer.finish()
  }

  /// The export's bytes.
  func bytes() throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    try write(to: folder.file("x.rasdx"))
    return try folder.read("x.rasdx")
  }
}

/// Everything an export holds, as a reader gave it.
struct Content: Equatable {
  var rows: [String: [String]] = [:]
  var blobs: [String: [UInt8]] = [:]
  var digests: [String: String] = [:]

  static func collect(
    _ reader: ExportReader,
    workers: Int = 1
  ) throws -> (Content, Verification) {
    var content = Content()
    let result = try reader.verify(
      workers: workers,
      makeRows: {
        { _, bytes in
          var lines: [String] = []
          Lines.forEach(in: bytes) {
            lines.append(String(decoding: [UInt8](copying: $0), as: UTF8.self))
          }
          return lines
        }
      },
      onRows: { part, lines in content.rows[part.table.text, default: []] += lines },
      onBlob: { part, bytes in
        content.blobs[part.id.text, default: []] += [UInt8](copying: bytes)
        if let digest = part.sha256 { content.digests[part.id.text] = digest.hex }
      }
    )
    return (content, result)
  }

  /// Opens and reads a file whole; throws what stops that before its entries are read.
  static func read(
    _ path: String,
    keys: Credentials = Sample.keys,
    workers: Int = 1
  ) throws -> (Content, Verification) {
    try collect(ExportFile(path: path).unlock(keys, plaintext: .allowed), workers: workers)
  }
}
