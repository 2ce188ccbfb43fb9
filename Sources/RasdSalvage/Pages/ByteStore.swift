/// Bytes that are read by offset and never written: a file, or memory in tests and fuzzing.
package struct ByteStore: Sendable {
  private let kind: Kind
  /// Bytes in all, as it was opened.
  package let size: Int64

  private enum Kind: Sendable {
    case memory([UInt8])
    case file(EvidenceFile)
  }

  package init(_ bytes: [UInt8]) {
    kind = .memory(bytes)
    size = Int64(bytes.count)
  }

  package init(_ file: EvidenceFile) {
    kind = .file(file)
    size = file.size
  }

  /// The path, where there is one.
  package var path: String? {
    if case .file(let file) = kind { file.path } else { nil }
  }

  /// Fills `buffer` from its index `start` on and returns how many bytes there were.
  ///
  /// Fewer than asked for at the end of the file or where the device fails; the rest of `buffer`
  /// is left alone.
  package func read(at offset: Int64, into buffer: inout [UInt8], from start: Int = 0) -> Int {
    guard offset >= 0, offset < size, start < buffer.count else { return 0 }
    switch kind {
    case .memory(let bytes):
      let from = Int(offset)
      let count = min(buffer.count - start, bytes.count - from)
      buffer.replaceSubrange(start..<(start + count), with: bytes[from..<(from + count)])
      return count
    case .file(let file):
      return file.read(at: offset, into: &buffer, from: start)
    }
  }

  /// What one read of a device that fails can cost: the kernel's own page.
  private static let sector: Int64 = 4_096

  /// Fills `buffer` from its index `start` on, and goes on past what the device does not give.
  ///
  /// Those places are zero, and ranges of `buffer` that go to `gaps`. Returns where the file's bytes
  /// end in `buffer`.
  func read(
    at offset: Int64,
    into buffer: inout [UInt8],
    from start: Int = 0,
    gaps: inout [Range<Int>]
  ) -> Int {
    let end = start + Int(clamping: min(Int64(buffer.count - start), max(0, size - offset)))
    var at = start
    while at < end {
      at += read(at: offset + Int64(at - start), into: &buffer, from: at)
      guard at < end else { break }
      let place = offset + Int64(at - start)
      let next = min(end, at + Int(Self.sector - place % Self.sector))
      for i in at..<next { buffer[i] = 0 }
      if gaps.last?.upperBound == at {
        gaps[gaps.count - 1] = gaps[gaps.count - 1].lowerBound..<next
      } else {
        gaps.append(at..<next)
      }
      at = next
    }
    return min(at, end)
  }

  /// Up to `count` bytes from `offset` on, clipped to what is there; zeros where the device fails.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    let offset = max(0, offset)
    let there = Int(clamping: min(Int64(count), size - offset))
    guard there > 0 else { return [] }
    if case .memory(let bytes) = kind { return Array(bytes[Int(offset)..<(Int(offset) + there)]) }
    var out = [UInt8](repeating: 0, count: there)
    var gaps: [Range<Int>] = []
    _ = read(at: offset, into: &out, gaps: &gaps)
    return out
  }
}
