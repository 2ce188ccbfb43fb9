import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// SQLCipher's own samples, versions 1 to 4, opened with nothing but their passphrase.
@Suite("Pages of SQLCipher's samples", .shared("corpora/sqlcipher"))
struct PagesSampleTests {
  struct Sample: Sendable, CustomStringConvertible {
    let file: String
    let key: String
    let pageSize: Int
    let pages: UInt32
    let hmac: HashFunction?
    var description: String { file }
  }

  static let samples = [
    Sample(
      file: "sqlcipher-1.1.8-testkey.db",
      key: "testkey",
      pageSize: 1024,
      pages: 990,
      hmac: nil
    ),
    Sample(
      file: "sqlcipher-2.0-le-testkey.db",
      key: "testkey",
      pageSize: 1024,
      pages: 1000,
      hmac: .sha1
    ),
    Sample(
      file: "sqlcipher-3.0-testkey.db",
      key: "testkey",
      pageSize: 1024,
      pages: 1000,
      hmac: .sha1
    ),
    Sample(
      file: "sqlcipher-4.0-testkey.db",
      key: "testkey",
      pageSize: 4096,
      pages: 239,
      hmac: .sha512
    ),
    Sample(
      file: "sqlcipher-4-wal-journal.db",
      key: "test",
      pageSize: 4096,
      pages: 2,
      hmac: .sha512
    ),
    Sample(file: "grdb.SQLCipher3.db", key: "secret", pageSize: 1024, pages: 2, hmac: .sha1),
  ]

  @Test("Every page of a sound file proves itself", arguments: samples)
  func allPagesProve(sample: Sample) async throws {
    let file = try EvidenceFile(path: Shared.path("corpora/sqlcipher/" + sample.file))
    let source = try PageSource.open(
      database: ByteStore(file),
      options: .passphrase(sample.key)
    )
    #expect(source.pageSize == sample.pageSize)
    #expect(source.pageCount == sample.pages)
    #expect(source.cipher?.hmac == sample.hmac)
    #expect(source.encoding == .utf8)
    var numbers: [UInt32] = []
    var verdicts: Set<PageVerdict> = []
    try await source.forEachPage(workers: 2) {
      $0
    } consume: {
      numbers.append($0.number)
      verdicts.insert($0.verdict)
    }
    #expect(numbers == Array(1...sample.pages))
    #expect(verdicts == [sample.hmac == nil ? .unproved : .intact])
  }

  @Test("A wrong passphrase is a wrong key, never damage", arguments: samples)
  func wrongKey(sample: Sample) throws {
    let file = try EvidenceFile(path: Shared.path("corpora/sqlcipher/" + sample.file))
    #expect(throws: RasdError(.keyUnavailable, .wrongKey)) {
      try PageSource.open(database: ByteStore(file), options: .passphrase("not it"))
    }
    #expect(throws: RasdError(.keyUnavailable, .noKeyGiven)) {
      try PageSource.open(database: ByteStore(file))
    }
  }
}

extension PageSource.Options {
  static func passphrase(_ text: String) -> Self {
    var options = Self()
    let bytes = Array(text.utf8)
    options.keys = [.passphrase(Secret(copying: bytes.span))]
    return options
  }

  static func raw(_ hex: String) -> Self {
    var options = Self()
    let bytes = Hex.decode(hex) ?? []
    options.keys = [.raw(Secret(copying: bytes.span), salt: nil)]
    return options
  }
}
