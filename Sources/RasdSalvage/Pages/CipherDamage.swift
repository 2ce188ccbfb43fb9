internal import RasdCrypto

/// Which decrypted bytes of a damaged page are certainly not what was written.
///
/// In CBC a lost ciphertext block costs itself and the block after it, a lost IV the first.
enum CipherDamage {
  /// Zeros this long in ciphertext are a wiped sector: four blocks do not come about by chance.
  private static let wipedRun = 64

  /// Ranges of the page, sorted, to be blanked after decryption.
  static func unreadable(
    _ stored: Span<UInt8>,
    _ number: UInt32,
    _ format: CipherFormat,
    _ missing: [Range<Int>]
  ) -> [Range<Int>] {
    let body = format.bodyStart(number)
    let end = format.usable
    let block = AES256CBC.blockSize
    var lost: [Range<Int>] = []
    for gap in missing + wiped(stored, from: body) where !gap.isEmpty {
      if gap.lowerBound < body { lost.append(gap.lowerBound..<min(gap.upperBound, body)) }
      let first = max(gap.lowerBound, body)
      let last = min(gap.upperBound, end)
      if first < last {
        let from = body + (first - body) / block * block
        let upTo = body + ((last - body + block - 1) / block + 1) * block
        lost.append(from..<min(upTo, end))
      }
      if gap.overlaps(end..<(end + block)) { lost.append(body..<(body + block)) }
      if gap.upperBound > end {
        lost.append(max(end, gap.lowerBound)..<min(gap.upperBound, format.pageSize))
      }
    }
    return joined(lost)
  }

  /// Runs of zero blocks in ciphertext.
  private static func wiped(_ stored: Span<UInt8>, from body: Int) -> [Range<Int>] {
    let block = AES256CBC.blockSize
    var runs: [Range<Int>] = []
    var start: Int?
    var at = body
    while at + block <= stored.count {
      let zero = stored.isAllZero(at..<(at + block))
      if zero, start == nil { start = at }
      if !zero, let from = start {
        if at - from >= wipedRun { runs.append(from..<at) }
        start = nil
      }
      at += block
    }
    if let from = start, at - from >= wipedRun { runs.append(from..<stored.count) }
    return runs
  }

  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var out: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = out.last, range.lowerBound <= last.upperBound {
        out[out.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        out.append(range)
      }
    }
    return out
  }
}
