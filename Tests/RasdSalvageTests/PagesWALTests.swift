import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// WALs with their header destroyed, a frame damaged, or of another database.
@Suite("Pages of damaged WALs", .databaseTools)
struct PagesWALTests {
  static let recipes =
    Soak.isLong
    ? everyRecipe
    : [
      DeviceDatabase.Recipe(cipher: "plain", pageSize: 512, wal: true),
      DeviceDatabase.Recipe(cipher: "4", wal: true, rows: 150),
    ]

  private static let everyRecipe = [
    DeviceDatabase.Recipe(cipher: "plain", pageSize: 4_096, wal: true, rows: 150),
    DeviceDatabase.Recipe(cipher: "plain", pageSize: 512, wal: true),
    DeviceDatabase.Recipe(cipher: "4", wal: true, rows: 150),
    DeviceDatabase.Recipe(cipher: "3", pageSize: 1_024, passphrase: true, wal: true),
    DeviceDatabase.Recipe(cipher: "1", pageSize: 1_024, wal: true),
  ]

  private func open(_ device: DeviceDatabase, wal: [UInt8]) throws -> PageSource {
    try PageSource.open(
      database: ByteStore(device.database),
      wals: [ByteStore(wal)],
      options: device.options
    )
  }

  private func kinds(_ source: PageSource) -> Set<PageFinding.Kind> {
    Set(source.findings.map(\.kind))
  }

  @Test("The header destroyed: every committed page comes back", arguments: recipes)
  func headerDestroyed(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    var random = SeededGenerator(seed: 3)
    for junk in [[UInt8](repeating: 0, count: 32), random.bytes(32)] {
      let source = try open(device, wal: junk + device.wal.dropFirst(32))
      #expect(kinds(source).contains(.walHeaderLost))
      #expect(device.wrongPages(source) == [])
    }
  }

  @Test("One flipped bit costs one frame, which is told and kept", arguments: recipes)
  func flippedBit(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    var random = SeededGenerator(seed: 4)
    let step = 24 + device.pageSize
    let frames = (device.wal.count - 32) / step
    for _ in 0..<Soak.rounds(short: 3, long: 20) {
      let frame = Int.random(in: 0..<frames, using: &random)
      let place = Int.random(in: 24..<step - 100, using: &random)
      var wal = device.wal
      wal[32 + frame * step + place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let source = try open(device, wal: wal)
      let number = device.wal.span.u32(32 + frame * step)
      #expect(kinds(source).contains(.walFrameDamaged))
      // A later frame of the page may settle it; no other page is touched.
      #expect(device.wrongPages(source).allSatisfy { $0 == number })
      let versions = source.disputed(number)
      // The frame is current itself where nothing else holds its page.
      let current = source.current(number)
      let damaged = versions.last ?? (current?.verdict.isFailed == true ? current : nil)
      if let last = damaged {
        // At most one block and a bit are wrong.
        #expect(last.verdict.isFailed)
        let expected = Array(device.expectedPage(number, usable: last.usable))
        let differing = (0..<last.usable).count { last.bytes[$0] != expected[$0] }
        #expect(differing <= 17)
      } else {
        #expect(device.wrongPages(source) == [])
      }
    }
  }

  @Test("A frame's own header damaged", arguments: recipes)
  func frameHeader(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    let step = 24 + device.pageSize
    let frames = (device.wal.count - 32) / step
    for frame in [0, frames / 2] {
      for place in [8, 16] {
        var wal = device.wal
        wal[32 + frame * step + place] ^= 0x10
        // Neither salts nor checksum say anything of the page: all of them are sound.
        #expect(device.wrongPages(try open(device, wal: wal)) == [], "byte \(place) of \(frame)")
      }
    }
  }

  @Test("Cut short: what was committed before the cut", arguments: recipes)
  func cutShort(recipe: DeviceDatabase.Recipe) async throws {
    let device = try DeviceDatabase.made(recipe)
    let step = 24 + device.pageSize
    let frames = (device.wal.count - 32) / step
    let kept = frames * 2 / 3
    let source = try open(device, wal: Array(device.wal.prefix(32 + kept * step + step / 2)))
    var seen: Set<Int> = []
    try await source.forEachHistoricalPage(workers: 2) {
      $0
    } consume: {
      if case .wal(_, let frame, _) = $0.origin { seen.insert(frame) }
    }
    try await source.forEachPage(workers: 2) {
      $0
    } consume: {
      if case .wal(_, let frame, let state) = $0.origin {
        #expect(state == .committed)
        seen.insert(frame)
      }
    }
    #expect(seen == Set(1...kept))
  }

  @Test("Another database's WAL is recognised and kept apart")
  func foreign() throws {
    for cipher in ["plain", "4", "1"] {
      let size = cipher == "1" ? 1_024 : 4_096
      let one = try DeviceDatabase.made(.init(cipher: cipher, pageSize: size, wal: true, seed: 1))
      let other = try DeviceDatabase.made(.init(cipher: cipher, pageSize: size, wal: true, seed: 2))
      let source = try open(one, wal: other.wal)
      #expect(kinds(source).contains(.walForeign), "\(cipher)")
      #expect(source.overlay.newest.isEmpty)
      #expect(!kinds(try open(one, wal: one.wal)).contains(.walForeign))
    }
  }

  @Test("The database wiped, its WAL whole", arguments: recipes)
  func databaseWiped(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    let source = try PageSource.open(
      database: ByteStore([UInt8](repeating: 0, count: device.database.count)),
      wals: [ByteStore(device.wal)],
      options: device.options
    )
    let step = 24 + device.pageSize
    let frames = (device.wal.count - 32) / step
    let numbers = Set((0..<frames).map { device.wal.span.u32(32 + $0 * step) })
    let wrong = Set(device.wrongPages(source))
    #expect(wrong.isDisjoint(with: numbers))
  }
}
