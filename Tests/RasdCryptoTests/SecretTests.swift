import Foundation
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct SecretTests {
  @Test func holdsWhatItsInitialiserWrote() {
    let secret = Secret(capacity: 5_000) { output in
      for i in 0..<4_999 { output.append(UInt8(truncatingIfNeeded: i)) }
    }
    #expect(secret.count == 4_999)
    #expect(secret.copy == (0..<4_999).map { UInt8(truncatingIfNeeded: $0) })
    #expect(Secret([]).copy.isEmpty)
  }

  @Test func comparesInWhole() {
    let secret = Secret([1, 2, 3])
    let texts: [([UInt8], Bool)] = [
      ([1, 2, 3], true), ([1, 2, 4], false), ([1, 2], false), ([], false),
    ]
    for (bytes, equal) in texts {
      let same = secret.equals(bytes.span)
      #expect(same == equal)
    }
  }

  @Test func aThrowingInitialiserLeavesNothing() {
    let marker = Marker()
    #expect(throws: KeyFault(.text)) {
      try Secret(capacity: 64) { (output) throws(KeyFault) in
        marker.append(to: &output)
        throw KeyFault(.text)
      }
    }
    #expect(marker.places() == 0)
  }

  /// The bytes of a secret that is gone are nowhere in the memory of the process.
  @Test func wipedWhenItGoes() {
    let marker = Marker()
    var secret: Secret? = Secret(capacity: 32) { marker.append(to: &$0) }
    #expect(withExtendedLifetime(secret) { marker.places() } == 1)
    secret = nil
    #expect(marker.places() == 0)
  }

  @Test func derivedKeysAreWipedToo() throws {
    let marker = Marker()
    var places = 0
    do {
      let secret = Secret(capacity: 32) {
        marker.append(to: &$0)
        $0.append(repeating: 0, count: 16)
      }
      let key = ContentKey(secret)
      let id = try #require(ExportID("0199a7c2-0000-7000-8000-0123456789ab"))
      let raw = RawKey(SecureRandom.secret(32))
      let slot = RawKeySlot(key, of: id, for: raw)
      let opened = slot.open(raw, of: id)
      places = withExtendedLifetime((opened, key)) { marker.places() }
    }
    #expect(places == 2, "the key and the opened copy of it, each in a place of its own")
    #expect(marker.places() == 0)
  }

  @Test func nothingIsDescribed() {
    let secret = Secret(Array("sesame".utf8))
    #expect("\(secret)" == "Secret" && String(reflecting: secret) == "Secret")
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  /// In a process of its own: what is hardened stays so.
  @Test func hardening() async {
    await #expect(processExitsWith: .success) {
      ProcessHardening.apply()
      var limit = rlimit()
      #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
      #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      #expect(status.contains("CoreDumping:\t0"))
      let facts = try FileManager.default.attributesOfItem(atPath: "/proc/self/mem")
      #expect(facts[.ownerAccountID] as? Int == 0, "nobody but root may read it")
    }
  }
}

/// Sixteen random bytes that stand in memory only masked, until a secret is made of them.
private struct Marker {
  private let masked: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))
  private static let mask: UInt64 = 0x5A5A_A5A5_3C3C_C3C3

  func append(to output: inout OutputSpan<UInt8>) {
    for word in [masked.0, masked.1] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        output.append(UInt8(truncatingIfNeeded: (word ^ Self.mask) >> shift))
      }
    }
  }

  /// How often the bytes stand in the writable memory of this process, at multiples of eight.
  func places() -> Int {
    let memory = unsafe open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    // Foundation takes the first page of such a file for the whole of it.
    let file = FileHandle(forReadingAtPath: "/proc/self/maps")
    var maps = ""
    while let piece = file?.availableData, !piece.isEmpty {
      maps += String(decoding: piece, as: UTF8.self)
    }
    var found = 0
    var words = [UInt64](repeating: 0, count: 1 << 15)
    for line in maps.split(separator: "\n") where line.contains(" rw") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap {
        UInt64($0, radix: 16)
      }
      // A sanitizer's shadow of the address space is no memory of ours, and has no end.
      guard ends[1] - ends[0] < 1 << 30 else { continue }
      var at = ends[0]
      while at < ends[1] {
        let wanted = min(Int(ends[1] - at), words.count * 8)
        let count = unsafe words.withUnsafeMutableBytes {
          unsafe pread(memory, $0.baseAddress, wanted, off_t(at))
        }
        guard count >= 16 else { break }
        // A piece overlaps the one before by eight bytes.
        found += unsafe words.withUnsafeBufferPointer { words in
          var found = 0
          for i in 0..<(count / 8 - 1)
          where unsafe words[i] ^ Self.mask == masked.0 && words[i + 1] ^ Self.mask == masked.1 {
            found += 1
          }
          return found
        }
        at += UInt64(count < wanted || at + UInt64(count) == ends[1] ? count : count - 8)
      }
    }
    return found
  }
}
