import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

/// A file of Project Wycheproof's vectors.
struct Wycheproof {
  let groups: [JSONValue]

  static func path(_ name: String) -> String { "corpora/wycheproof/\(name)_test.json" }

  init(_ name: String) throws {
    let json = try JSONValue.parse(File.read(Shared.path(Self.path(name))))
    groups = try #require(json["testGroups"]?.array)
  }

  /// What became of the vectors; each test asserts that its file had some.
  struct Tally: Equatable, CustomStringConvertible {
    var valid = 0
    var invalid = 0
    var description: String { "\(valid) valid, \(invalid) invalid" }
  }

  /// Runs every vector that `verdict` does not pass over with nil, and compares: valid must be
  /// true, invalid must be false, acceptable may be either.
  func run(_ verdict: (_ group: JSONValue, _ vector: JSONValue) throws -> Bool?) throws -> Tally {
    var tally = Tally()
    for group in groups {
      for vector in try #require(group["tests"]?.array) {
        guard let verdict = try verdict(group, vector) else { continue }
        let number = vector["tcId"]?.int ?? 0
        switch vector["result"]?.string {
        case "valid":
          tally.valid += 1
          #expect(verdict, "tcId \(number) must be taken")
        case "invalid":
          tally.invalid += 1
          #expect(!verdict, "tcId \(number) must be refused")
        default: break
        }
      }
    }
    return tally
  }
}

extension JSONValue {
  /// A member's bytes, in hexadecimal.
  func bytes(_ name: String) throws -> [UInt8] {
    let text = try #require(self[name]?.string)
    return try #require(Hex.decode(text))
  }

  func has(flag: String) -> Bool {
    self["flags"]?.array?.contains { $0.string == flag } == true
  }
}
