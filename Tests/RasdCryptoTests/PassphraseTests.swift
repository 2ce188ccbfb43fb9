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
    arguments: ["", "\u{301}\u{327}", "\u{1161}\u{11A8}"]
      + (Soak.isLong ? ["\u{301}", "\u{327}\u{301}", "\u{338}"] : [])
  )
  func normalFormOfAllOfUnicode(_ marks: String) throws {
    let program = """
      import sys, unicodedata
      marks = sys.argv[1]
      all = [chr(c) + marks for c in range(1, 0x110000)
             if c != 10 and unicodedata.category(chr(c)) not in ("Cs", "Cn", "Co")]
      for lines in all, [unicodedata.normalize("NFC", s) for s in all]:
          sys.stdout.buffer.write("".join(s + "\\n" for s in lines).encode())
      """
    // Line feeds stand between the texts: they compose with nothing.
    let lines = try Python.run(program: program, [marks]).output
      .split(separator: UInt8(ascii: "\n"))
    let texts = Array(lines[..<(lines.count / 2)].joined(separator: "\n".utf8))
    let form = NormalForm.c(of: texts.span)
    let ours = try #require(form).copy.split(separator: UInt8(ascii: "\n"))
    let theirs = lines[(lines.count / 2)...]
    let wrong = zip(ours, theirs).filter { $0 != $1 }.map { String(decoding: $0.0, as: UTF8.self) }
    #expect(wrong.isEmpty)
    #expect(ours.count == theirs.count && ours.count > 140_000)
  }
}
