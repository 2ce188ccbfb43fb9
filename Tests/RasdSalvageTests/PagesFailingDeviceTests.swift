import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Files on a card whose sectors fail: what lies beside them is read all the same.
@Suite("Pages of a failing device", .databaseTools)
struct PagesFailingDeviceTests {
  @Test("A failing sector costs its page and no other", arguments: ["plain", "4"])
  func failingSectors(_ cipher: String) async throws {
    let device = try DeviceDatabase.made(.init(cipher: cipher, pageSize: 4_096, wal: false))
    let folder = try TemporaryDirectory()
    let path = try folder.write(device.database, to: "device.db")
    let failing: [Range<Int64>] = [4_096 * 3..<4_096 * 3 + 512, 4_096 * 9 + 100..<4_096 * 11]
    let file = try EvidenceFile(path: path, failing: failing)
    let source = try PageSource.open(database: ByteStore(file), options: device.options)
    var whole = 0
    var unreadable: [UInt32] = []
    try await source.forEachPage(workers: 2) {
      $0
    } consume: { (page: Page) throws(RasdError) in
      if page.unreadable.isEmpty { whole += 1 } else { unreadable.append(page.number) }
    }
    #expect(unreadable == [4, 10, 11])
    #expect(whole == device.database.count / 4_096 - 3)
    #expect(Set(device.wrongPages(source)) == [4, 10, 11])

    let seal = try file.seal()
    #expect(seal.unreadable == 3 * 4_096 - 100)
    #expect(seal.size == Int64(device.database.count))
    #expect(try file.seal() == seal)
    #expect(try EvidenceFile(path: path).seal().unreadable == 0)
  }

  @Test("Rows of every other page come back", arguments: ["plain", "4"])
  func rows(_ cipher: String) async throws {
    let device = try DeviceDatabase.made(.init(cipher: cipher, pageSize: 4_096, wal: false))
    let folder = try TemporaryDirectory()
    let path = try folder.write(device.database, to: "device.db")
    func liveRows(_ failing: [Range<Int64>]) async throws -> Int {
      let file = try EvidenceFile(path: path, failing: failing)
      let source = try PageSource.open(database: ByteStore(file), options: device.options)
      var salvage = Salvage(source, profiles: [], options: .init(namespace: .unnamed))
      try await salvage.survey()
      let ledger = try await salvage.rows { _ in }
      return ledger.delivered.filter { $0.key.kind == .live }.reduce(0) { $0 + $1.value }
    }
    let all = try await liveRows([])
    let middle = Int64(device.database.count / 2 / 4_096 * 4_096)
    let some = try await liveRows([middle..<middle + 8 * 4_096])
    #expect(some > all / 2 && some < all, "\(some) of \(all)")
  }
}
