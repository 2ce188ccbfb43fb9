import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Files whose page 1 is not where it should be, and whose length does not tell where it is.
@Suite("Alignment of pages", .databaseTools)
struct PagesAlignmentTests {
  static let recipes =
    Soak.isLong
    ? ["4", "3", "1", "plain"].flatMap { cipher in
      [
        DeviceDatabase.Recipe(cipher: cipher, pageSize: 4_096, rows: 150),
        DeviceDatabase.Recipe(cipher: cipher, pageSize: 1_024),
      ]
    }
    : [
      DeviceDatabase.Recipe(cipher: "4", pageSize: 4_096),
      DeviceDatabase.Recipe(cipher: "1", pageSize: 1_024),
      DeviceDatabase.Recipe(cipher: "plain", pageSize: 4_096, rows: 150),
    ]

  private func open(_ device: DeviceDatabase, _ bytes: [UInt8]) throws -> PageSource {
    try PageSource.open(database: ByteStore(bytes), options: device.options)
  }

  @Test("Shifted and cut: the pages themselves tell", arguments: recipes)
  func shiftedAndCut(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    let size = device.pageSize
    var random = SeededGenerator(seed: 11)
    let kept = device.database.count * 3 / 4 / size
    for shift in Soak.isLong ? [1, 333, 4_095, 3 * 4_096 + 17] : [333, 3 * 4_096 + 17] {
      let bytes = random.bytes(shift) + device.database.prefix(kept * size + 77)
      let source = try open(device, bytes)
      #expect(source.layout.start == Int64(shift), "shift \(shift)")
      #expect(device.wrongPages(source).allSatisfy { $0 > UInt32(kept) }, "shift \(shift)")
    }
  }

  @Test("The front cut off, in the midst of page 1 or pages behind it", arguments: recipes)
  func frontCutOff(recipe: DeviceDatabase.Recipe) throws {
    let device = try DeviceDatabase.made(recipe)
    let size = device.pageSize
    for lost in Soak.isLong ? [50, size / 2, size, 2 * size + 100] : [size, 2 * size + 100] {
      let source = try open(device, Array(device.database.dropFirst(lost)))
      #expect(source.layout.start == -Int64(lost), "lost \(lost)")
      let gone = UInt32((lost + size - 1) / size)
      #expect(device.wrongPages(source).allSatisfy { $0 <= gone }, "lost \(lost)")
      #expect(source.current(gone + 1)?.fileOffset == UInt64(Int(gone) * size - lost))
    }
  }

  @Test("Shifted, its header overwritten")
  func shiftedHeadless() throws {
    for size in Soak.isLong ? [512, 1_024, 4_096, 65_536] : [512, 65_536] {
      let device = try DeviceDatabase.made(.init(cipher: "plain", pageSize: size, rows: 200))
      var random = SeededGenerator(seed: 12)
      var bytes = device.database
      for i in 0..<100 { bytes[i] = 0xEE }
      for shift in Soak.isLong ? [1, 400, 4_095] : [400] {
        let source = try open(device, random.bytes(shift) + bytes)
        #expect(source.pageSize == size)
        #expect(source.layout.start == Int64(shift), "shift \(shift) of \(size)")
        #expect(device.wrongPages(source).allSatisfy { $0 == 1 }, "shift \(shift) of \(size)")
      }
    }
  }
}
