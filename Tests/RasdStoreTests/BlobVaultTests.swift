import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdStore

@Suite struct BlobVaultTests {
  private let fixture: StoreFixture
  private let store: Store

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.create()
  }

  private func put(_ bytes: [UInt8], pieces: Int = 100_000) throws -> SealedBlob {
    var writer = try store.vault.writer()
    var rest = bytes[...]
    while !rest.isEmpty {
      try writer.write(Array(rest.prefix(pieces)).span)
      rest = rest.dropFirst(pieces)
    }
    let blob = try writer.finish()
    try store.vault.sync()
    return blob
  }

  private func get(_ sha256: SHA256Digest) throws -> [UInt8] {
    guard var reader = try store.vault.reader(sha256) else { throw Missing() }
    var bytes: [UInt8] = []
    while let part = try reader.next() { bytes += part }
    #expect(try reader.next() == nil)
    return bytes
  }

  @Test(arguments: [0, 1, 16_384, BlobFile.partSize - 1, BlobFile.partSize, BlobFile.partSize + 1])
  func bytesComeBackWhole(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let blob = try put(bytes)
    #expect(blob == SealedBlob(sha256: SHA256.digest(bytes.span), bytes: count))
    #expect(try get(blob.sha256) == bytes)
    #expect(store.vault.holds(blob.sha256, bytes: count))
    #expect(!store.vault.holds(blob.sha256, bytes: count + 1))
    #expect(FileTree.paths(under: fixture.path("store/spool")).isEmpty)
  }

  @Test func oneCopyHoweverOften() throws {
    let first = try put([1, 2, 3])
    let second = try put([1, 2, 3])
    #expect(first == second)
    #expect(
      try FileTree(of: fixture.path("store/blobs")).entries.values.filter { !$0.isDirectory }.count
        == 1
    )
  }

  @Test func namesAndBytesSayNothing() throws {
    let bytes = Array(repeating: Array("MARKER".utf8), count: 50).flatMap { $0 }
    let blob = try put(bytes)
    store.close()
    let tree = try FileTree(of: fixture.path())
    #expect(tree.paths(holding: ["MARKER", blob.sha256.hex]).isEmpty)
    #expect(!tree.entries.keys.contains { $0.contains(blob.sha256.hex) })
  }

  @Test func anUnfinishedOneLeavesNothing() throws {
    do {
      var writer = try store.vault.writer()
      try writer.write([1, 2, 3].span)
    }
    #expect(FileTree.paths(under: fixture.path("store/spool")).isEmpty)
  }

  @Test func everyFlipAndCutIsSeen() throws {
    let blob = try put(Array("a photo".utf8))
    let path = store.vault.path(of: blob.sha256)
    let whole = try TestSupport.File.read(path)
    for i in whole.indices {
      var damaged = whole
      damaged[i] ^= 1
      try fixture.directory.write(
        damaged,
        to: String(path.dropFirst(fixture.directory.path.count + 1))
      )
      #expect(throws: RasdError(.corrupt, .entryDamaged)) { try get(blob.sha256) }
    }
    for count in whole.indices {
      try fixture.directory.write(
        Array(whole[..<count]),
        to: String(path.dropFirst(fixture.directory.path.count + 1))
      )
      #expect(throws: RasdError(.corrupt, .entryDamaged)) { try get(blob.sha256) }
    }
  }

  /// A file put under another's name opens, and is another blob.
  @Test func aSwappedFileIsNotTakenForTheOther() throws {
    let (a, b) = (try put([1]), try put([2]))
    let other = try TestSupport.File.read(store.vault.path(of: b.sha256))
    let path = store.vault.path(of: a.sha256)
    try fixture.directory.write(other, to: String(path.dropFirst(fixture.directory.path.count + 1)))
    #expect(throws: RasdError(.integrity, .blobHashMismatch)) { try get(a.sha256) }
  }
}
