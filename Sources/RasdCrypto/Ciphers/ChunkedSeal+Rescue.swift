extension ChunkedSeal {
  /// What a damaged message still gives.
  package struct Rescued: Sendable {
    /// The plaintext as far as the sealed bytes reach; zero in the holes.
    package let bytes: [UInt8]
    /// The plaintext ranges that did not open, ascending, never touching.
    package let holes: [Range<Int>]
    /// Whether the commitment in the header is the key's; chunks prove themselves without it.
    package let commitmentHolds: Bool
    /// Whether the last, shorter chunk is there and opens: nothing was cut off.
    package let reachesEnd: Bool

    package var isWhole: Bool { holes.isEmpty && commitmentHolds && reachesEnd }

    /// The bytes before the first hole.
    package var prefixCount: Int { holes.first?.lowerBound ?? bytes.count }
  }

  /// Opens every chunk that opens (the format, §Salvage); nil where not even a salt is left.
  package mutating func rescue(_ sealed: Span<UInt8>, context: Span<UInt8>) -> Rescued? {
    guard sealed.count >= Self.headerSize else { return nil }
    let keys = prepare(salt: sealed.extracting(first: Self.saltSize), context: context)
    let commitment = sealed.extracting(Self.saltSize..<Self.headerSize)
    var holes: [Range<Int>] = []
    var reachesEnd = false
    let bytes = [UInt8](capacity: sealed.count - Self.headerSize) { output in
      var start = Self.headerSize
      var index = 0
      while start + AES256GCM.tagSize <= sealed.count {
        let end = min(start + Self.sealedChunkSize, sealed.count)
        let chunk = sealed.extracting(start..<end)
        let opened = openChunk(index, chunk, keys, into: &output)
        if !opened {
          let from = output.count
          output.append(repeating: 0, count: chunk.count - AES256GCM.tagSize)
          if let last = holes.last, last.upperBound == from {
            holes[holes.count - 1] = last.lowerBound..<output.count
          } else {
            holes.append(from..<output.count)
          }
        }
        reachesEnd = opened && chunk.count < Self.sealedChunkSize
        start = end
        index += 1
      }
    }
    return Rescued(
      bytes: bytes,
      holes: holes.filter { !$0.isEmpty },
      commitmentHolds: Libcrypto.equal(keys.commitment, commitment),
      reachesEnd: reachesEnd
    )
  }
}
