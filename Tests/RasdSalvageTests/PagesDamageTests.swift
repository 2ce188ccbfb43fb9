import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Databases of every cipher and page size, then damaged: each page that was not touched comes
/// back byte for byte, with the verdict it deserves.
@Suite("Pages of damaged databases", .databaseTools)
struct PagesDamageTests {
  static let recipes =
    Soak.isLong
    ? everyRecipe
    : [
      DeviceDatabase.Recipe(cipher: "4"),
      DeviceDatabase.Recipe(cipher: "4", pageSize: 8_192, passphrase: true, wal: true),
      DeviceDatabase.Recipe(cipher: "3", pageSize: 1_024, passphrase: true),
      DeviceDatabase.Recipe(cipher: "1", pageSize: 4_096, wal: true),
      DeviceDatabase.Recipe(cipher: "plain", pageSize: 512),
      DeviceDatabase.Recipe(cipher: "plain", pageSize: 65_536, rows: 200),
    ]

  private static let everyRecipe: [DeviceDatabase.Recipe] =
    ["4", "3", "2", "1", "plain"].flatMap { cipher in
      [
        DeviceDatabase.Recipe(cipher: cipher, pageSize: nil),
        DeviceDatabase.Recipe(cipher: cipher, pageSize: 1_024, passphrase: cipher != "plain"),
        DeviceDatabase.Recipe(cipher: cipher, pageSize: 4_096, wal: true),
        DeviceDatabase.Recipe(cipher: cipher, pageSize: 65_536, rows: 200),
      ]
    } + [
      DeviceDatabase.Recipe(cipher: "plain", pageSize: 512),
      DeviceDatabase.Recipe(cipher: "4", pageSize: 8_192, passphrase: true, wal: true),
    ]

  private func open(
    _ device: DeviceDatabase,
    _ database: [UInt8],
    wal: [UInt8]? = nil
  ) throws -> PageSource {
    let wal = wal ?? device.wal
    return try PageSource.open(
      database: ByteStore(database),
      wals: wal.isEmpty ? [] : [ByteStore(wal)],
      options: device.options
    )
  }

  @Test("Sound, header lost, shifted, cut, flipped", arguments: recipes)
  func everyUntouchedPage(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    let proof: PageVerdict = ["1", "plain"].contains(recipe.cipher) ? .unproved : .intact
    let size = device.pageSize
    var random = SeededGenerator(seed: 7)

    let sound = try open(device, device.database)
    #expect(sound.pageSize == size)
    #expect(device.wrongPages(sound) == [])
    for number in 1...device.pageCount { #expect(sound.current(number)?.verdict == proof) }
    #expect(sound.pageCount == device.pageCount)
    #expect(sound.header != nil)

    // A few bytes or nearly a page in front.
    let between = Int.random(in: 2..<4_095, using: &random)
    for shift in Soak.isLong ? [1, 100, between, 4_095] : [between, 4_095] {
      let shifted = try open(device, random.bytes(shift) + device.database)
      #expect(shifted.layout.start == Int64(shift), "shift \(shift)")
      #expect(device.wrongPages(shifted) == [], "shift \(shift)")
    }

    // Cut in the midst of a page.
    let keep = device.database.count * 2 / 3 / size * size
    let cut = try open(device, Array(device.database.prefix(keep + size / 3)), wal: [])
    #expect(cut.pageSize == size)
    #expect(cut.pageCount == UInt32(keep / size) + 1)
    #expect(cut.current(cut.pageCount)?.unreadable.isEmpty == false)
    if !recipe.wal {
      #expect(device.wrongPages(cut).allSatisfy { $0 > UInt32(keep / size) })
    }

    // Bit flips, a wiped sector and a wiped page.
    var flipped = device.database
    var hit: Set<UInt32> = []
    for _ in 0..<min(3, Int(device.pageCount) / 4) {
      let number = UInt32.random(in: 2...UInt32(flipped.count / size), using: &random)
      guard hit.insert(number).inserted else { continue }
      flipped[(Int(number) - 1) * size + Int.random(in: 0..<(size - 100), using: &random)] ^= 4
    }
    let damaged = try open(device, flipped, wal: [])
    for number in hit {
      #expect(damaged.current(number)?.verdict == (proof == .intact ? .hmacFailed : .unproved))
    }
    if !recipe.wal { #expect(Set(device.wrongPages(damaged)).isSubset(of: hit)) }
  }

  @Test("Header overwritten, page 1 wiped", arguments: recipes)
  func withoutPageOne(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    let size = device.pageSize
    let isPlain = recipe.cipher == "plain"
    let proof: PageVerdict = ["1", "plain"].contains(recipe.cipher) ? .unproved : .intact
    var header = device.database
    for i in (isPlain ? 0 : 16)..<100 { header[i] = 0 }
    let headless = try open(device, header)
    #expect(headless.pageSize == size)
    #expect(device.wrongPages(headless).allSatisfy { $0 == 1 })
    #expect(headless.current(2)?.verdict == proof)
    if isPlain, device.pageCount > 2 { #expect(headless.reserved == 0) }

    var wiped = device.database
    for i in 0..<size { wiped[i] = 0 }
    if recipe.passphrase, !recipe.wal {
      #expect(throws: RasdError(.keyUnavailable, .saltLost)) { try open(device, wiped) }
      return
    }
    let source = try open(device, wiped)
    #expect(source.pageSize == size)
    #expect(device.wrongPages(source).allSatisfy { $0 == 1 })
    if recipe.wal { #expect(device.wrongPages(source) == []) }
  }
}
