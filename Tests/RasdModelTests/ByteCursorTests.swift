import RasdModel
import Testing

@Suite struct ByteCursorTests {
  @Test func reads() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    var cursor = ByteCursor(bytes.span)
    let first = try cursor.u8()
    let second = try cursor.u16be()
    let third = try cursor.u32be()
    let remaining = cursor.remaining
    #expect(first == 1 && second == 0x0203 && third == 0x0405_0607 && remaining == 2)
    try cursor.seek(to: 0)
    let big = try cursor.u64be()
    try cursor.seek(to: 6)
    let three = try cursor.big(3)
    let isAtEnd = cursor.isAtEnd
    #expect(big == 0x0102_0304_0506_0708 && three == 0x0007_0809 && isAtEnd)
  }

  /// A failed read says where it stood and does not move.
  @Test func failedReadsStay() throws {
    let bytes: [UInt8] = [1, 2, 3]
    var cursor = ByteCursor(bytes.span)
    try cursor.skip(2)
    var failures: [ByteCursor.OutOfBytes] = []
    do { _ = try cursor.u32be() } catch { failures.append(error) }
    do { try cursor.skip(-1) } catch { failures.append(error) }
    do { _ = try cursor.take(Int.max) } catch { failures.append(error) }
    do { try cursor.seek(to: 4) } catch { failures.append(error) }
    do { try cursor.seek(to: -1) } catch { failures.append(error) }
    #expect(failures.map(\.offset) == [2, 2, 2, 2, 2])
    #expect(failures.map(\.wanted) == [4, -1, Int.max, 4, -1])
    let offset = cursor.offset
    let rest = try cursor.take(1)
    let last = rest[0]
    let none = try cursor.take(0).count
    #expect(offset == 2 && last == 3 && none == 0)
  }

  @Test(
    arguments: [
      ([0x00], 0), ([0x7F], 127), ([0x81, 0x00], 128), ([0xFF, 0x7F], 16383),
      ([0x81, 0x80, 0x00], 16384), ([0x80, 0x80, 0x01], 1),
      ([UInt8](repeating: 0xFF, count: 9), UInt64.max),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x05], 5),
    ] as [([UInt8], UInt64)]
  ) func varints(bytes: [UInt8], expected: UInt64) throws {
    var cursor = ByteCursor(bytes.span)
    let value = try cursor.varint()
    let isAtEnd = cursor.isAtEnd
    #expect(value == expected && isAtEnd)
    var short = ByteCursor(bytes.span.extracting(droppingLast: 1))
    var failed = false
    do { _ = try short.varint() } catch { failed = error.offset == 0 }
    let offset = short.offset
    #expect(failed && offset == 0)
  }
}
