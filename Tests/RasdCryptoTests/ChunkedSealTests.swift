import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct ChunkedSealTests {
  private let key = Secret([UInt8](repeating: 7, count: 32))
  private let context = Array("rasdx/1\0context".utf8)
  private static let chunk = ChunkedSeal.chunkSize

  @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 5 * chunk + 100])
  func roundTrip(_ size: Int) throws {
    var generator = SeededGenerator()
    let message = generator.bytes(size)
    var seal = ChunkedSeal(key: key)
    let sealed = seal.seal(message, context: context)
    #expect(sealed.count == ChunkedSeal.sealedSize(of: size))
    #expect(ChunkedSeal.openedSize(of: sealed.count) == size)
    #expect(try seal.open(sealed, context: context) == message)
    let again = seal.seal(message, context: context)
    #expect(again != sealed, "each message has a salt of its own")
    let rescued = seal.rescue(sealed, context: context)
    #expect(rescued?.isWhole == true)
    #expect(rescued?.bytes == message)
  }

  @Test func sizesThatNoMessageHas() {
    for size in 0..<(72 + 2 * (Self.chunk + 16)) {
      let opened = ChunkedSeal.openedSize(of: size)
      #expect(opened.map(ChunkedSeal.sealedSize) ?? size == size)
      #expect((opened == nil) == (size < 72 || (size - 56) % (Self.chunk + 16) < 16))
    }
  }

  @Test func everyChangedByteIsRefused() {
    var seal = ChunkedSeal(key: key)
    let sealed = seal.seal(Array("a few rows".utf8), context: context)
    for (index, changed) in flips(sealed) {
      #expect(
        throws: index < ChunkedSeal.headerSize
          ? ChunkedSeal.Damage.commitment : ChunkedSeal.Damage.chunk(0)
      ) { try seal.open(changed, context: context) }
    }
    for (_, changed) in flips(context) {
      #expect(throws: ChunkedSeal.Damage.commitment) {
        try seal.open(sealed, context: changed)
      }
    }
    for count in sealed.indices {
      #expect(throws: ChunkedSeal.Damage.self) {
        try seal.open(Array(sealed[..<count]), context: context)
      }
    }
  }

  @Test func damageNamesItsChunk() {
    var seal = ChunkedSeal(key: key)
    var generator = SeededGenerator()
    let sealed = seal.seal(generator.bytes(4 * Self.chunk), context: context)
    for chunk in 0...4 {
      var changed = sealed
      let start = ChunkedSeal.headerSize + chunk * (Self.chunk + 16)
      changed[
        Int.random(in: start..<min(start + Self.chunk + 16, sealed.count), using: &generator)
      ] ^= 0x40
      #expect(throws: ChunkedSeal.Damage.chunk(chunk)) {
        try seal.open(changed, context: context)
      }
      #expect(ChunkedSeal.Damage.chunk(chunk).offset == start)
    }
  }

  /// A failed message leaves no part of itself in the output.
  @Test func damageLeavesTheOutputAsItWas() {
    var seal = ChunkedSeal(key: key)
    var sealed = seal.seal([UInt8](repeating: 1, count: 2 * Self.chunk), context: context)
    sealed[sealed.count - 1] ^= 1
    let output = [UInt8](capacity: 1 + 2 * Self.chunk) { output in
      output.append(9)
      try? seal.open(sealed.span, context: context.span, into: &output)
    }
    #expect(output == [9])
  }

  @Test func rescueKeepsEveryGoodChunk() throws {
    var generator = SeededGenerator()
    let message = generator.bytes(5 * Self.chunk + 40)
    var seal = ChunkedSeal(key: key)
    var sealed = seal.seal(message, context: context)
    // The commitment, two chunks that touch, and the last one.
    for chunk in [1, 2, 5] { sealed[ChunkedSeal.headerSize + chunk * (Self.chunk + 16) + 3] ^= 1 }
    sealed[30] ^= 1
    let found = seal.rescue(sealed, context: context)
    let rescued = try #require(found)
    #expect(rescued.holes == [Self.chunk..<3 * Self.chunk, 5 * Self.chunk..<message.count])
    #expect(!rescued.commitmentHolds && !rescued.reachesEnd && !rescued.isWhole)
    #expect(rescued.prefixCount == Self.chunk)
    #expect(rescued.bytes.count == message.count)
    for index in rescued.bytes.indices {
      let inHole = rescued.holes.contains { $0.contains(index) }
      guard rescued.bytes[index] == (inHole ? 0 : message[index]) else {
        Issue.record("byte \(index)")
        break
      }
    }
  }

  @Test func rescueOfEveryPrefix() throws {
    var generator = SeededGenerator()
    let message = generator.bytes(2 * Self.chunk + 100)
    var seal = ChunkedSeal(key: key)
    let sealed = seal.seal(message, context: context)
    for count in stride(from: 0, to: sealed.count, by: 97) {
      let rescued = seal.rescue(Array(sealed[..<count]), context: context)
      guard count >= ChunkedSeal.headerSize else {
        #expect(rescued == nil)
        continue
      }
      let found = try #require(rescued)
      let whole = (count - ChunkedSeal.headerSize) / (Self.chunk + 16) * Self.chunk
      #expect(!found.isWhole)
      #expect(found.prefixCount == whole)
      #expect(found.bytes.starts(with: message[..<whole]))
    }
  }

  @Test(.containerTools)
  func anotherImplementationOpensOurs() throws {
    var generator = SeededGenerator()
    var seal = ChunkedSeal(key: key)
    for size in [0, 10, Self.chunk, 40_000] {
      let message = generator.bytes(size)
      let sealed = seal.seal(message, context: context)
      let program = """
        import sys, rasdx
        sys.stdout.buffer.write(rasdx.unseal(b"\\x07" * 32, b"rasdx/1\\0context", sys.stdin.buffer.read()))
        """
      #expect(try Python.run(program: program, input: sealed).output == message)
      let back = """
        import sys, rasdx
        sys.stdout.buffer.write(rasdx.seal(b"\\x07" * 32, b"rasdx/1\\0context", sys.stdin.buffer.read(), bytes(range(24))))
        """
      let theirs = try Python.run(program: back, input: message).output
      #expect(try seal.open(theirs, context: context) == message)
    }
  }
}
