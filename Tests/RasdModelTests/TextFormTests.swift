import Foundation
import RasdModel
import TestSupport
import Testing

/// Hex, base64url, escapes, namespaces, UUIDs and keys as text.
@Suite struct TextFormTests {
  @Test func hex() {
    let all = (0...255).map { UInt8($0) }
    #expect(Hex.decode(Hex.encode(all)) == all)
    #expect(Hex.encode([0x00, 0xAF]) == "00af")
    for text in ["0", "0g", "AF", "é", "0x", " 00"] { #expect(Hex.decode(text) == nil) }
    #expect(Hex.decode("aF", .anyCase) == [0xAF])
  }

  @Test func base64URL() {
    var random = SeededGenerator()
    for count in 0..<70 {
      let bytes = random.bytes(count)
      let text = Base64URL.encode(bytes)
      let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing(
        "/",
        with: "_"
      )
      .replacing("=", with: "")
      #expect(text == expected)
      #expect(Base64URL.decode(text) == bytes)
    }
    for text in ["A", "AAAAA", "AA==", "AB", "AAB", "A+AA", "A/AA", "AA\n", "ÀA"] {
      #expect(Base64URL.decode(text) == nil, "\(text)")
    }
    #expect(Base64URL.decode("AA") == [0])
    #expect(Base64URL.decode("-_-_") == [0xFB, 0xFF, 0xBF])
  }

  @Test(arguments: [
    ("basemap:amman#0", "basemap%3Aamman%230"), ("a_b-C9", "a_b-C9"), ("é", "%C3%A9"),
    ("..", "%2E%2E"),
    ("a/b\\c\n\0", "a%2Fb%5Cc%0A%00"), ("%41", "%2541"), ("", ""),
  ]) func entryEscape(name: String, escaped: String) {
    #expect(EntryEscape.escape(name) == escaped)
    #expect(EntryEscape.unescape(escaped).map { Array($0.utf8) } == Array(name.utf8))
  }

  @Test(arguments: ["%41", "%3a", "%2f", "%", "%2", "%GG", "a.b", "a/b", "%FF", "é", "%C3", "%+1"])
  func noOtherEscapeIsTaken(text: String) {
    #expect(EntryEscape.unescape(text) == nil)
  }

  @Test func safeText() {
    #expect(
      SafeText.escape("a\u{1B}[31m\n\t\\\u{202E}x\u{2066}\u{FEFF}")
        == #"a\u{1b}[31m\n\t\\\u{202e}x\u{2066}\u{feff}"#
    )
    #expect(SafeText.escape("\u{85}\u{2028}\u{E000}") == #"\u{85}\u{2028}\u{e000}"#)
    let family = "مخيم \u{1F468}\u{200D}\u{1F469} 東京 é"
    #expect(SafeText.escape(family) == family)
    #expect(SafeText.escape(bytes: [0x61, 0xFF, 0x0A, 0x5C].span) == #"a\xff\x0a\x5c"#)
    #expect(SafeText.escape(bytes: Array("é".utf8).span) == "é")
  }

  @Test func jsonSaysTheSameWithoutRawControls() throws {
    let text = "a\"\\\u{1B}\u{7F}\u{85}\u{202E}\u{2028}\u{E0001}\u{F0000}é\u{200D}"
    let json = JSONValue.object([.init(text, .string(text))]).text
    let safe = SafeText.escape(json: json)
    #expect(try JSONValue.parse(safe).members?.map(\.name) == [text])
    #expect(try JSONValue.parse(safe).members?.map(\.value.string) == [text])
    #expect(
      String(decoding: safe, as: UTF8.self).hasSuffix(
        #"\u007f\u0085\u202e\u2028\udb40\udc01\udb80\udc00é"# + "\u{200D}\"}"
      )
    )
    #expect(SafeText.escape(json: Array(#"{"a":[1]}"#.utf8)) == Array(#"{"a":[1]}"#.utf8))
  }

  @Test func namespaces() {
    #expect(Namespace("wfp-jo.u_4821")?.org == "wfp-jo")
    #expect(Namespace("one")?.org == "one")
    #expect(Namespace("a..b.")?.org == "a")
    for text in [
      "", ".a", "-a", "_a", "A", "a b", "a/b", "é", "a\n", String(repeating: "a", count: 65),
    ] {
      #expect(Namespace(text) == nil, "\(text)")
    }
    #expect(Namespace(String(repeating: "a", count: 64)) != nil)
  }

  @Test func tables() {
    for name in [
      "forms", "submissions", "attachments", "datasets", "outbox", "kv", "x_", "x_Tracks_9",
    ] {
      #expect(TableName(name)?.text == name)
    }
    let long = "x_" + String(repeating: "a", count: 62)
    #expect(TableName(long) != nil)
    for name in ["", "Forms", "x", "y_a", "x_a-b", "x_é", "x_a.b", "blobs", long + "a"] {
      #expect(TableName(name) == nil, "\(name)")
    }
  }

  @Test func uuids() {
    let text = "0199a7c2-0000-7abc-8def-0123456789ab"
    #expect(UUIDText.bytes(text).map(UUIDText.text) == text)
    for bad in [
      text.uppercased(), String(text.dropLast()), text.replacing("-", with: ""), text + "0",
      "0199a7c20-000-7abc-8def-0123456789ab", "{\(text)}",
    ] {
      #expect(UUIDText.bytes(bad) == nil, "\(bad)")
    }
    let random = [UInt8](repeating: 0xFF, count: 10)
    #expect(
      UUIDText.version7(milliseconds: 0x0199_A7C2_1234, random: random)
        == "0199a7c2-1234-7fff-bfff-ffffffffffff"
    )
    #expect(
      UUIDText.version4(random: [UInt8](repeating: 0, count: 16))
        == "00000000-0000-4000-8000-000000000000"
    )
  }

  /// Swift holds these equal; as keys they are two.
  @Test func keysCompareBytewise() {
    let composed = RowKey(dataset: "n", key: "\u{E9}")
    let decomposed = RowKey(dataset: "n", key: "e\u{301}")
    #expect("\u{E9}" == "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(RowKey(.kv, ["a", "b"]) != RowKey(.outbox, ["a", "b"]))
    #expect(RowKey(.kv, ["a", "b\",\"c"]).text != RowKey(.kv, ["a", "b", "c"]).text)
    #expect(RowKey(submission: "a\n\u{2028}😀").text == #"["a\n\u2028\ud83d\ude00"]"#)
    #expect(RowKey(.datasets, text: composed.text) == composed)
  }

  @Test func digests() throws {
    let low = try #require(SHA256Digest(bytes: [UInt8](repeating: 0x7F, count: 32)))
    let high = try #require(SHA256Digest(bytes: [0x80] + [UInt8](repeating: 0, count: 31)))
    #expect(low < high)
    #expect(SHA256Digest(hex: high.hex) == high)
    #expect(SHA256Digest(prefixed: high.prefixed) == high)
    #expect(high.bytes.count == 32 && high.bytes[0] == 0x80)
    for text in [high.hex.uppercased() + "", String(high.hex.dropLast()), "sha256:" + high.hex]
    where text != high.hex {
      #expect(SHA256Digest(hex: text) == nil)
    }
    #expect(SHA256Digest(prefixed: high.hex) == nil)
    #expect(SHA256Digest(bytes: [1, 2]) == nil)
  }

  @Test func gradesAndKindsAreOrdered() {
    #expect(Grade.allCases.sorted() == Grade.allCases)
    #expect(Grade.verified > .intact && Grade.plausible > .doubtful)
    #expect(RowKind.allCases.sorted() == [.live, .orphan, .freelist, .freeblock, .gap, .history])
    #expect(RowKind.allCases.filter(\.mayEnter) == [.live, .orphan])
    #expect(
      SubmissionStatus.allCases.sorted() == [
        .draft, .finalized, .queued, .sending, .rejected, .conflict, .synced,
      ]
    )
    #expect(SubmissionStatus.allCases.filter(\.isProtected) == [.finalized, .queued, .sending])
    #expect(AttachmentStatus.allCases.sorted() == [.pending, .failed, .uploading, .uploaded])
  }
}
