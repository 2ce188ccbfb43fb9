import Foundation
import RasdModel
import TestSupport
import Testing

@Suite struct JSONReadingTests {
  @Test(arguments: [
    ("", JSONFault.empty, 0), (" \n", .empty, 2), ("\u{FEFF}{}", .byteOrderMark, 0),
    ("{", .unexpectedEnd, 1), ("[1,", .unexpectedEnd, 3), ("[1 2]", .unexpectedByte, 3),
    ("{\"a\"}", .unexpectedByte, 4), ("{a:1}", .unexpectedByte, 1), ("[1,]", .unexpectedByte, 3),
    ("{\"a\":1,}", .unexpectedByte, 7), ("[}", .unexpectedByte, 1), ("{]", .unexpectedByte, 1),
    ("01", .invalidNumber, 0), ("-", .invalidNumber, 0), ("[1.]", .invalidNumber, 1),
    ("1e", .invalidNumber, 0), (".5", .unexpectedByte, 0), ("+1", .unexpectedByte, 0),
    ("1e400", .numberOutOfRange, 0), ("[-1e309]", .numberOutOfRange, 1),
    ("NaN", .unexpectedByte, 0), ("nul", .unexpectedEnd, 3), ("trux", .unexpectedByte, 3),
    ("\"a\u{1}\"", .controlCharacter, 2), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
    (#""\x""#, .invalidEscape, 1), (#""\u12g4""#, .invalidEscape, 1),
    (#""\u12"#, .unexpectedEnd, 5),
    (#""\ud800""#, .loneSurrogate, 1), (#""ab\udc00""#, .loneSurrogate, 3),
    (#""\ud800\u0041""#, .loneSurrogate, 1), (#""\ud800x""#, .loneSurrogate, 1),
    ("{} {}", .trailingBytes, 3), ("null\0", .trailingBytes, 4),
    (#"{"a":1,"b":2,"a":3}"#, .doubledMember, 13),
  ]) func faultsNameTheirPlace(text: String, fault: JSONFault, offset: Int) {
    #expect(throws: JSONError(fault, at: offset)) { try JSONValue.parse(Array(text.utf8)) }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xC3], [0x80],
      [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x28],
    ] as [[UInt8]]
  ) func invalidUTF8(bytes: [UInt8]) {
    for padding in 0..<10 {
      let before = [0x22] + [UInt8](repeating: 0x61, count: padding)
      #expect(throws: JSONError(.invalidUTF8, at: padding + 1)) {
        try JSONValue.parse(before + bytes + [0x22])
      }
      let inName = [0x7B] + before + bytes + Array("\":1}".utf8)
      #expect(throws: JSONError(.invalidUTF8, at: padding + 2)) { try JSONValue.parse(inName) }
    }
  }

  /// Every scalar at every alignment is what it was.
  @Test func everyScalar() throws {
    for first in stride(from: 0x20, through: 0x10FFFF, by: 97) {
      let scalars = (first..<(first + 97)).compactMap { Unicode.Scalar(UInt32($0)) }
      let text = String(String.UnicodeScalarView(scalars))
      let value = try JSONValue.parse(JSONValue.string(text).text)
      #expect(value.string.map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test func depth() throws {
    let limit = JSONRules.depthLimit
    func nested(_ count: Int) -> [UInt8] {
      Array((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
    }
    #expect(try JSONValue.parse(nested(limit)).text == nested(limit))
    #expect(try canonicalForm(of: nested(limit)) == nested(limit))
    #expect(throws: JSONError(.tooDeep, at: limit)) { try JSONValue.parse(nested(limit + 1)) }
    #expect(throws: JSONError(.tooDeep, at: limit)) {
      try JSONValue.parse([UInt8](repeating: 0x5B, count: 10_000_000))
    }
    let objects = String(repeating: "{\"a\":", count: 10_000)
    #expect(throws: JSONError(.tooDeep, at: limit * 5)) { try JSONValue.parse(Array(objects.utf8)) }
  }

  /// Nothing that is cut or altered crashes, and what is still taken is read the same twice.
  @Test func everyPrefixAndEveryFlip() throws {
    let text = Array(
      #"{"b":[1,-2.50,true,null,"\u00e9\n é"],"a":{"x":1e2,"":{}},"😀":"\ud83d\ude00", "c" : [ ] }"#
        .utf8
    )
    #expect(throws: Never.self) { try JSONValue.parse(text) }
    for count in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONValue.parse(Array(text[..<count])) }
    }
    var tape = JSONTape()
    for i in text.indices {
      for bit in 0..<8 {
        var flipped = text
        flipped[i] ^= 1 << UInt8(bit)
        guard let canonical = try? canonicalForm(of: flipped) else { continue }
        try tape.parse(flipped.span)
        var again: [UInt8] = []
        tape.writeCanonical(in: flipped.span, to: &again)
        #expect(again == canonical)
        #expect(try canonicalForm(of: canonical) == canonical)
      }
    }
  }

  @Test func hugeNumbersAreReadInGoodTime() throws {
    let digits = [UInt8](repeating: UInt8(ascii: "7"), count: 1_000_000)
    #expect(throws: JSONError(.numberOutOfRange, at: 0)) { try JSONValue.parse(digits) }
    let fraction = Array("0.".utf8) + digits
    #expect(try canonicalForm(of: fraction) == Array("0.7777777777777778".utf8))
  }

  @Test func manyNamesThatShareABeginningAreSorted() throws {
    let stem = String(repeating: "x", count: 400)
    let names = (0..<2000).map { stem + String($0) }.shuffled()
    let text = "{" + names.map { "\"\($0)\":null" }.joined(separator: ",") + "}"
    let expected = "{" + names.sorted().map { "\"\($0)\":null" }.joined(separator: ",") + "}"
    #expect(try canonicalForm(of: Array(text.utf8)) == Array(expected.utf8))
  }

  @Test func valuesBuiltInCode() throws {
    let value: JSONValue = [
      "text": "a\u{0}\"", "list": [1, true, nil, "x"], "nothing": nil, "n": -5,
    ]
    #expect(
      String(decoding: value.text, as: UTF8.self)
        == #"{"text":"a\u0000\"","list":[1,true,null,"x"],"nothing":null,"n":-5}"#
    )
    #expect(value["list"]?.array?.count == 4)
    #expect(value["nothing"]?.isNull == true)
    #expect(value["absent"] == nil)
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(0.5)?.text == "0.5")
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1.0", 1), ("1e3", 1000), ("9007199254740991", 9_007_199_254_740_991),
      ("9007199254740992", nil), ("9007199254740993", nil), ("0.5", nil), ("-7", -7),
      ("1e300", nil),
    ] as [(String, Int64?)]
  ) func integers(text: String, expected: Int64?) throws {
    #expect(try JSONValue.parse(Array(text.utf8)).int == expected)
  }
}
