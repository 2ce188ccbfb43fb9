import Foundation
import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdStore

@Suite struct DirectoryTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test func everythingIsItsOwnersAloneAndSealed() throws {
    let store = try fixture.create()
    var export = TestExport(
      "wfp-jo.u_1",
      [
        TestRow.submission(TestRow.id(1), answer: "MARKER-ANSWER"),
        TestRow.dataset("MARKER-NAME", "MARKER-KEY"), TestRow.kv("MARKER-KV", "MARKER-VALUE"),
        ("submissions", #"{"MARKER-BAD":1}"#),
      ]
    )
    export.blobs = [(id: "MARKER-BLOB", bytes: Array("MARKER-BYTES".utf8))]
    try export.take(into: store)
    // Once with its log beside it, once after the log has been folded in.
    let live = try FileTree(of: fixture.path())
    store.close()
    let closed = try FileTree(of: fixture.path())
    for tree in [live, closed] {
      #expect(tree.paths(holding: ["MARKER", TestRow.id(1)]).isEmpty)
      for (path, entry) in tree.entries {
        #expect(entry.mode == (entry.isDirectory ? 0o700 : 0o600), "\(path)")
      }
    }
    #expect(closed.entries["store.db"]?.bytes.starts(with: Array("SQLite".utf8)) == false)
  }

  @Test func oneWriterAtATimeAndItIsNamed() throws {
    let store = try fixture.create()
    do {
      _ = try fixture.open()
      Issue.record("opened twice")
    } catch let error as RasdError {
      #expect(error == RasdError(.locked, .storeLocked))
      #expect("\(error.details["holder"] ?? "")".contains("process"))
    }
    // A reader asks for no lock.
    let reader = try fixture.open("store", .reading)
    #expect(try reader.digest() == store.digest())
    reader.close()
    store.close()
    // The text of a holder that is gone is no lock.
    #expect(try !fixture.directory.read("store/lock").isEmpty)
    _ = try fixture.open()
  }

  @Test func aReaderWritesNothing() throws {
    try fixture.create().close()
    let before = try FileTree(of: fixture.path())
    let reader = try fixture.open("store", .reading)
    _ = try reader.digest()
    #expect(throws: RasdError(.unavailable, .readOnly)) {
      try TestExport("wfp-jo.u_1").take(into: reader)
    }
    reader.close()
    let after = try FileTree(of: fixture.path())
    #expect(after.entries["store.db"]?.bytes == before.entries["store.db"]?.bytes)
  }

  /// Somebody's input: no byte, time or name of it changes, and a read-only folder will do.
  @Test func anInputIsNotTouched() throws {
    let store = try fixture.create("in#put %41?")
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1))]).take(into: store)
    let digest = try store.digest()
    #expect(throws: RasdError(.locked, .storeUnsettled)) {
      try fixture.open("in#put %41?", .readingUntouched)
    }
    store.close()
    let before = try FileTree(of: fixture.path("in#put %41?"))
    let reader = try fixture.open("in#put %41?", .readingUntouched)
    #expect(try reader.digest() == digest)
    #expect(try StoreExport(of: reader, .inTheLine).lineCount == 1)
    reader.close()
    #expect(try FileTree(of: fixture.path("in#put %41?")).changes(since: before).isEmpty)
  }

  /// What a killed run left in the log is folded in by whoever opens the store next.
  @Test func aCutShortStoreIsSettledByReadingIt() throws {
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1))]).take(into: store)
    let digest = try store.digest()
    try FileManager.default.copyItem(atPath: fixture.path(), toPath: fixture.path("killed"))
    #expect(StoreDirectory(path: fixture.path("killed")).hasLog)
    let reader = try fixture.open("killed", .reading)
    #expect(try reader.digest() == digest)
    reader.close()
    #expect(!StoreDirectory(path: fixture.path("killed")).hasLog)
    #expect(try fixture.open("killed", .readingUntouched).digest() == digest)
  }

  @Test func aReaderSeesOneMoment() throws {
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1))]).take(into: store)
    let reader = try fixture.open("store", .reading)
    let digest = try reader.digest()
    try TestExport("wfp-jo.u_2", [TestRow.submission(TestRow.id(2))]).take(into: store)
    #expect(try reader.digest() == digest)
    #expect(try store.digest() != digest)
    reader.close()
  }

  @Test func eitherCopyOfTheSlotsIsEnough() throws {
    try fixture.create().close()
    let whole = try fixture.directory.read("store/keys.json")
    #expect(try fixture.directory.read("store/keys.copy.json") == whole)
    for name in ["keys.json", "keys.copy.json"] {
      for damage in [[], Array(whole.dropLast(40)), whole.map { $0 == 0x22 ? 0x23 : $0 }] {
        try fixture.directory.write(damage, to: "store/" + name)
        try fixture.open().close()
        #expect(try fixture.directory.read("store/" + name) == whole)
      }
      try fixture.directory.write(whole, to: "store/" + name)
    }
    for name in ["keys.json", "keys.copy.json"] {
      try fixture.directory.write("{}", to: "store/" + name)
    }
    #expect(throws: RasdError(.corrupt, .storeDamaged)) { try fixture.open() }
  }

  @Test func everyFlipOfTheSlotsIsSeen() throws {
    let key = ContentKey.make()
    let id = try require(ExportID(TestRow.id(1)))
    let slot = KeySlot.key(RawKeySlot(key, of: id, for: fixture.key))
    let text = SlotsFile(storeId: id, key: key, slots: [slot]).text()
    let whole = try require(SlotsFile(text))
    #expect(try whole.unlock(fixture.credentials).matches(whole.commitment, for: id))
    for i in text.indices.dropLast() {
      var damaged = text
      damaged[i] ^= 1
      // Letters of `sha256` itself may fall either way; what is read is never other slots.
      if let read = SlotsFile(damaged) { #expect(read.slots == whole.slots) }
    }
  }

  @Test func slotsAreAddedAndRemovedButNotTheLast() throws {
    let store = try fixture.create()
    let second = RawKey(SecureRandom.secret(32))
    try store.addSlot { key, id in .key(RawKeySlot(key, of: id, for: second)) }
    try store.removeSlot(0)
    #expect(throws: RasdError(.unavailable, .lastSlot)) { try store.removeSlot(0) }
    #expect(throws: RasdError(.unavailable, .slotUnknown)) { try store.removeSlot(7) }
    store.close()
    #expect(throws: RasdError(.keyUnavailable, .wrongKey)) { try fixture.open() }
    var credentials = Credentials()
    credentials.add(.rawKey(second), source: "test")
    _ = try Store.open(at: fixture.path(), credentials: credentials, access: .writing)
  }

  @Test func noStoreNoKeyAndAForeignFolderAreDifferentAnswers() throws {
    #expect(throws: RasdError(.notOpen, .storeMissing)) { try fixture.open() }
    try fixture.directory.write("x", to: "other/file")
    #expect(throws: RasdError(.unavailable, .storeExists)) { try fixture.create("other") }
    try fixture.create().close()
    #expect(throws: RasdError(.unavailable, .storeExists)) { try fixture.create() }
    #expect(throws: RasdError(.keyUnavailable, .noMatchingSlot)) {
      try Store.open(at: fixture.path(), credentials: Credentials(), access: .writing)
    }
  }

  /// Killed after the slots and before the database: an empty store that opens.
  @Test func aStoreWhoseMakingWasCutShortOpens() throws {
    try fixture.create().close()
    try fixture.directory.remove(["store/store.db", "store/store.db-wal", "store/store.db-shm"])
    let store = try fixture.open()
    #expect(store.sources.isEmpty)
    try TestExport("wfp-jo.u_1", [TestRow.kv("a", "b")]).take(into: store)
  }

  @Test func aLostDatabaseBesideBlobsIsDamage() throws {
    let store = try fixture.create()
    var export = TestExport("wfp-jo.u_1", [])
    export.blobs = [(id: "a", bytes: [1])]
    try export.take(into: store)
    store.close()
    try fixture.directory.remove(["store/store.db", "store/store.db-wal", "store/store.db-shm"])
    #expect(throws: RasdError.self) { try fixture.open() }
  }

  @Test func whatAKilledRunLeftInTheSpoolGoes() throws {
    try fixture.create().close()
    try fixture.directory.write("half a blob", to: "store/spool/0123")
    _ = try fixture.open()
    #expect(FileTree.paths(under: fixture.path("store/spool")).isEmpty)
  }
}

extension TemporaryDirectory {
  func remove(_ names: [String]) throws {
    for name in names where FileTree.paths(under: path).contains(name) {
      try FileManager.default.removeItem(atPath: file(name))
    }
  }
}
