import Foundation
import RasdModel
import TestSupport
import Testing

@Suite struct CanonicalFormTests {
  /// One tape reads them all, so what it has learnt of names in one text meets the next.
  @Test func equalsALiteralSecondImplementation() throws {
    let seed = SeededGenerator().seed
    var random = RandomJSON(seed: seed)
    var tape = JSONTape()
    for round in 0..<Soak.rounds(short: 4000, long: 400_000) {
      let text = Array(random.text().utf8)
      let value = try JSONValue.parse(text)
      var canonical: [UInt8] = []
      try tape.parse(text.span)
      tape.writeCanonical(in: text.span, to: &canonical)
      let expected = ReferenceJSON.canonical(value)
      try #require(
        String(decoding: canonical, as: UTF8.self).utf8.elementsEqual(expected.utf8),
        "round \(round): \(String(decoding: text, as: UTF8.self))"
      )
      #expect(try canonicalForm(of: text) == canonical)
      #expect(try canonicalForm(of: canonical) == canonical)
      #expect(try JSONValue.parse(value.text) == value)
    }
  }

  /// More names than are remembered, in orders that are never the same twice.
  @Test func survivesMoreNamesThanAreKept() throws {
    var random = SeededGenerator(seed: 3)
    var tape = JSONTape()
    for round in 0..<60 {
      var names = (0..<200).map { "n\($0 + round * 150)_of_a_form_with_long_names" }
      names.shuffle(using: &random)
      let text = Array(("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8)
      try tape.parse(text.span)
      var canonical: [UInt8] = []
      tape.writeCanonical(in: text.span, to: &canonical)
      let sorted = names.sorted().map { "\"\($0)\":1" }.joined(separator: ",")
      #expect(String(decoding: canonical, as: UTF8.self) == "{" + sorted + "}")
    }
  }

  /// Found whether the names are new to the tape, met before or ranked.
  @Test(arguments: [2, 3, 12, 13, 100, 700]) func findsADoubledNameAnywhere(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    var tape = JSONTape()
    for _ in 0..<30 {
      var names = (0..<count).map { "q\($0)" }
      names.shuffle(using: &random)
      let clean = Array(("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8)
      try tape.parse(clean.span)
      names[count - 1] = names[Int.random(in: 0..<(count - 1), using: &random)]
      let text = Array(("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8)
      do {
        try tape.parse(text.span)
        Issue.record("a doubled name was taken")
      } catch {
        let last = text.count - "\"\(names[count - 1])\":1}".utf8.count
        #expect(error == JSONError(.doubledMember, at: last))
      }
    }
  }

  @Test(arguments: [
    (#"{"a":1,"\u0061":2}"#, 7), (#"{"\u0000":1,"b":2,"\u0000":3}"#, 18),
    (#"{"x":{"é":1,"z":0,"\u00e9":2}}"#, 19), (#"{"\ud83d\ude00":1,"😀":2}"#, 18),
  ]) func namesAreEqualByWhatTheyStandFor(text: String, offset: Int) {
    #expect(throws: JSONError(.doubledMember, at: offset)) { try JSONValue.parse(Array(text.utf8)) }
  }

  /// Swift takes these for one text; JSON does not.
  @Test func namesThatLookAlikeAreTwo() throws {
    let text = "{\"\u{e9}\":1,\"e\u{301}\":2,\"\":3,\"\\u0000\":4}"
    let value = try JSONValue.parse(Array(text.utf8))
    #expect(value["\u{e9}"]?.int == 1)
    #expect(value["e\u{301}"]?.int == 2)
    #expect(
      try value.canonical() == Array("{\"\":3,\"\\u0000\":4,\"e\u{301}\":2,\"\u{e9}\":1}".utf8)
    )
  }

  @Test func sortsByUTF16() throws {
    let text = "{\"\u{FFFF}\":1,\"\u{10000}\":2,\"\u{E000}\":3,\"\u{D7FF}\":4,\"\u{10FFFF}\":5}"
    let expected = "{\"\u{D7FF}\":4,\"\u{10000}\":2,\"\u{10FFFF}\":5,\"\u{E000}\":3,\"\u{FFFF}\":1}"
    #expect(try canonicalForm(of: Array(text.utf8)) == Array(expected.utf8))
  }

  @Test(arguments: [
    ("9007199254740993", "9007199254740992"), ("12345678901234567890", "12345678901234567000"),
    ("1.10", "1.1"), ("-0", "0"), ("-0.0", "0"), ("0.1", "0.1"), ("1E2", "100"),
    ("7858647087597395000", "7858647087597395000"), ("1e21", "1e+21"), ("0.0000001", "1e-7"),
    ("0.000001", "0.000001"), ("0.00000123", "0.00000123"), ("1e-400", "0"),
    ("333333333.33333329", "333333333.3333333"), ("100000000000000000000000", "1e+23"),
    ("123456789012345", "123456789012345"), ("-5e-324", "-5e-324"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"),
  ]) func numbers(written: String, canonical: String) throws {
    #expect(try canonicalForm(of: Array(written.utf8)) == Array(canonical.utf8))
    let value = try JSONValue.parse(Array(written.utf8))
    #expect(value.number?.text == written)
    #expect(value.text == Array(written.utf8))
  }
}
