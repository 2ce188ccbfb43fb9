import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct PassphraseTests {
  private func passphrase(_ bytes: [UInt8]) throws(KeyFault) -> Passphrase {
    try Passphrase(bytes.span)
  }

  @Test(arguments: [
    ("secret\n", "secret"), ("secret\r\n", "secret"), ("secret\n\n", "secret\n"),
    ("secret\r", "secret\r"), (" secret ", " secret "), ("!", "!"),
  ])
  func oneLineEndIsNotPartOfIt(_ text: String, _ expected: String) throws {
    let made = try passphrase(Array(text.utf8))
    #expect(made.asGiven.copy == Array(expected.utf8))
    #expect(made.normalized === made.asGiven)
  }

  @Test func normalFormC() throws {
    let composed = try Passphrase("caf\u{E9}")
    let decomposed = try Passphrase("cafe\u{301}")
    #expect(decomposed.normalized.copy == Array("caf\u{E9}".utf8))
    #expect(composed.normalized.copy == decomposed.normalized.copy)
    #expect(decomposed.asGiven.copy == Array("cafe\u{301}".utf8))
  }

  @Test func refused() {
    #expect(throws: KeyFault(.byteOrderMark)) { try passphrase([0xEF, 0xBB, 0xBF, 0x61]) }
    #expect(throws: KeyFault(.utf16)) { try passphrase([0xFF, 0xFE, 0x61, 0x00]) }
    #expect(throws: KeyFault(.empty)) { try passphrase([]) }
    #expect(throws: KeyFault(.empty)) { try passphrase(Array("\r\n".utf8)) }
    #expect(throws: KeyFault(.binary)) { try passphrase([0x61, 0xC3]) }
    #expect(throws: KeyFault(.binary)) { try passphrase([0x61, 0x00, 0x62]) }
  }

  @Test func nothingIsDescribed() throws {
    let made = try Passphrase("sesame")
    var dumped = ""
    dump(made, to: &dumped)
    for text in ["\(made)", dumped, "\(made.asGiven)", String(reflecting: made)] {
      #expect(!text.contains("sesame"))
    }
  }

  /// Every code point that Python's version of Unicode assigns, alone and beside marks that
  /// compose with it, reorder or join as Hangul does.
  @Test(
    .enabled(if: Python.imports(["unicodedata"]), "skipped: python3 is absent"),
    arguments: ["", "\u{301}", "\u{327}\u{301}", "\u{301}\u{327}", "\u{1161}\u{11A8}", "\u{338}"]
  )
  func normalFormOfAllOfUnicode(_ marks: String) throws {
    let program = """
      import sys, unicodedata
      marks = sys.argv[1]
      out = sys.stdout.buffer
      for c in range(1, 0x110000):
          s = chr(c)
          if unicodedata.category(s) in ("Cs", "Cn", "Co") or s == "\\n": continue
          out.write((s + marks).encode() + b"\\n" + unicodedata.normalize("NFC", s + marks).encode() + b"\\n")
      """
    // A line feed stands between, and is left out for it.
    let output = try Python.run(program: program, [marks]).output
    let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
      .map(Array.init)
    var compared = 0
    var wrong: [String] = []
    for pair in stride(from: 0, to: lines.count - 1, by: 2) {
      let text = lines[pair]
      let form = NormalForm.c(of: text.span)
      if form?.copy != lines[pair + 1] { wrong.append(String(decoding: text, as: UTF8.self)) }
      compared += 1
    }
    #expect(wrong.isEmpty)
    #expect(compared > 140_000)
  }
}
