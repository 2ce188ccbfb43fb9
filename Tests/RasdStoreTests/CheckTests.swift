import Glibc
import RasdCrypto
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdStore

@Suite struct CheckTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    let store = try fixture.create()
    var export = TestExport(
      "wfp-jo.u_1",
      (0..<300).map { TestRow.submission(TestRow.id($0), answer: "\($0)") }
    )
    export.blobs = [(id: "a", bytes: [1, 2, 3])]
    try export.take(into: store)
    store.close()
  }

  private func faults(_ store: Store) throws -> [StoreFault] {
    var faults: [StoreFault] = []
    let receipt = try store.check { faults.append($0) }
    #expect(receipt.faults == faults.count)
    return faults
  }

  @Test func aWholeStoreHasNone() throws {
    let store = try fixture.open("store", .reading)
    var faults = 0
    let receipt = try store.check { _ in faults += 1 }
    #expect(faults == 0)
    #expect(receipt == StoreCheckReceipt(rows: 300, blobs: 1, blobBytes: 3, faults: 0))
  }

  @Test func aFlippedPageIsFound() throws {
    var bytes = try fixture.directory.read("store/store.db")
    bytes[bytes.count / 2 / 4096 * 4096 + 700] ^= 1
    try fixture.directory.write(bytes, to: "store/store.db")
    let store = try fixture.open("store", .reading)
    #expect(try faults(store).contains { $0.kind == .page })
  }

  @Test func aChangedRowAChangedChoiceAndALostBlobAreFound() throws {
    let store = try fixture.open()
    try store.connection.execute(
      "UPDATE bodies SET text = replace(text, '\"7\"', '\"8\"') WHERE bid = 8"
    )
    try store.connection.execute("UPDATE observations SET seen = 0 WHERE oid = 3")
    store.vault.remove(SHA256.digest([UInt8]([1, 2, 3]).span))
    #expect(try Set(faults(store).map(\.kind)) == [.row, .choice, .blob])
    #expect(try faults(store).count == 3)
  }

  @Test func aBlobThatIsNoFileIsFoundAndNotWaitedFor() throws {
    let store = try fixture.open("store", .reading)
    let path = store.vault.path(of: SHA256.digest([UInt8]([1, 2, 3]).span))
    for make in [{ unsafe mkfifo($0, 0o600) }, { unsafe mkdir($0, 0o700) }] as [(String) -> CInt] {
      unsafe remove(path)
      try #require(make(path) == 0)
      #expect(try faults(store).map(\.kind) == [.blob])
    }
  }

  @Test func aDatabaseThatIsGoneIsDamageAndNoNewStore() throws {
    for lose in ["empty", "gone"] {
      if lose == "empty" { try fixture.directory.write([], to: "store/store.db") }
      if lose == "gone" { unsafe unlink(fixture.path() + "/store.db") }
      for access in [Store.Access.reading, .writing] {
        let error = #expect(throws: RasdError.self) { _ = try fixture.open("store", access) }
        #expect(error?.reason == .storeDamaged)
      }
    }
  }

  @Test func quarantineIsCappedAndCounted() throws {
    let store = try fixture.open()
    let export = TestExport(
      "wfp-jo.u_2",
      (0..<1_200).map { ("submissions", #"{"bad":\#($0)}"#) }
    )
    let tally = try export.take(into: store)
    #expect(tally[.submissions]?[.rejected] == 1_200)
    #expect(
      try store.connection.integer("SELECT count(*) FROM quarantine")
        == Int64(Quarantine.rowsASource)
    )
  }

  /// A killed run may have named blobs that its batch never committed.
  @Test func whatACutShortRunLeftIsCountedAndRemoved() throws {
    let store = try fixture.open()
    let held = try FileTree(of: fixture.path() + "/blobs").entries.count
    for number in 0..<3 {
      var writer = try store.vault.writer()
      try writer.write([UInt8(number)].span)
      _ = try writer.finish()
    }
    try store.vault.sync()
    #expect(try faults(store).isEmpty)
    #expect(try store.check { _ in }.leftovers == 3)
    #expect(try store.removeLeftovers() == 3)
    #expect(try store.check { _ in }.leftovers == 0)
    #expect(try faults(store).isEmpty, "what is held is not touched")
    let files = try FileTree(of: fixture.path() + "/blobs").entries.values
    #expect(files.filter { !$0.isDirectory }.count == 1 && held > 1)
  }
}
