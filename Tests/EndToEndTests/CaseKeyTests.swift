import Foundation
import TestSupport
import Testing

/// Cases from the field about keys: what opens, and what a person reads where it doesn't.
@Suite struct CaseKeyTests {
  private static let program = """
    import unicodedata
    from cryptography.hazmat.primitives import serialization as S
    pem, public = rasdx.identity_from_seed(bytes(range(1, 33)))
    text = "caf\\u00e9! horse"
    export("phrase", [sub("a")], slots=[("passphrase", text)])
    export("sealed", [sub("b")], slots=[("x25519", public)])
    export("raw", [sub("c")])
    digits = KEY.hex().encode()
    files = {"right": text.encode(), "lf": text.encode() + b"\\n", "crlf": text.encode() + b"\\r\\n", "nfd": unicodedata.normalize("NFD", text).encode(),
             "two-lf": text.encode() + b"\\n\\n", "bom": b"\\xef\\xbb\\xbf" + text.encode(), "utf16": text.encode("utf-16"), "wrong": b"cafe! horse",
             "id": pem.encode(), "id-crlf": pem.replace("\\n", "\\r\\n").encode(), "id-bom": b"\\xef\\xbb\\xbf" + pem.encode(),
             "public": public.public_bytes(S.Encoding.PEM, S.PublicFormat.SubjectPublicKeyInfo), "hex": digits, "hex-crlf": digits + b"\\r\\n",
             "hex-bom": b"\\xef\\xbb\\xbf" + digits, "hex-upper": digits.upper(), "hex-short": digits[:62], "binary": KEY,
             "other-hex": bytes(32).hex().encode()}
    for name, data in files.items():
        (FOLDER / name).write_bytes(data); os.chmod(FOLDER / name, 0o600)
    """

  private static let mark = "this is text that begins with a byte order mark"

  /// An option, the file given with it, and what is said of that file; nil where it opens.
  private static let table: [(option: String, file: String, said: String?)] = [
    ("--passphrase-file", "right", nil), ("--passphrase-file", "lf", nil),
    ("--passphrase-file", "crlf", nil), ("--passphrase-file", "nfd", nil),
    ("--passphrase-file", "two-lf", "[RASD_STORAGE_KEY_UNAVAILABLE wrong-key]"),
    ("--passphrase-file", "wrong", "[RASD_STORAGE_KEY_UNAVAILABLE wrong-key]"),
    ("--passphrase-file", "hex", "[RASD_STORAGE_KEY_UNAVAILABLE wrong-key]"),
    ("--passphrase-file", "bom", "bom: \(mark), and a passphrase was expected; save it as UTF-8"),
    ("--passphrase-file", "utf16", "utf16: this is text in UTF-16, and a passphrase was expected"),
    ("--passphrase-file", "id", "this is a private key (PEM), and a passphrase was expected"),
    ("--passphrase-file", "public", "this is a public key, and a passphrase was expected"),
    ("--identity", "id", nil), ("--identity", "id-crlf", nil),
    ("--identity", "id-bom", "id-bom: \(mark), and a private key (PEM) was expected"),
    ("--identity", "public", "this is a public key, and a private key (PEM) was expected"),
    ("--identity", "right", "this is some other text, and a private key (PEM) was expected"),
    ("--identity", "hex", "this is a raw key in hexadecimal, and a private key (PEM) was expected"),
    ("--identity", "nowhere", "nowhere: this is no file"),
    ("--key-file", "hex", nil), ("--key-file", "hex-crlf", nil), ("--key-file", "hex-upper", nil),
    ("--key-file", "hex-bom", "hex-bom: \(mark), and a raw key in hexadecimal was expected"),
    ("--key-file", "hex-short", "this is hexadecimal, but not of 64 or 96 digits"),
    ("--key-file", "binary", "this is no text, and a raw key in hexadecimal was expected"),
    ("--key-file", "id", "this is a private key (PEM), and a raw key in hexadecimal was expected"),
    ("--key-file", "other-hex", "[RASD_STORAGE_KEY_UNAVAILABLE wrong-key]"),
  ]

  @Test(
    """
    wrong passphrase; right passphrase with a trailing newline, in NFD, with !; public key given \
    as identity; key file with CRLF or BOM
    """,
    .containerTools
  )
  func keys() throws {
    let cases = try CaseFolder(Self.program)
    let exports = ["--passphrase-file": "phrase", "--identity": "sealed", "--key-file": "raw"]
    for (option, file, said) in Self.table {
      let export = try #require(exports[option])
      let result = try Product.run(
        ["verify", "--quiet", option, file, export + ".rasdx"],
        directory: cases.folder.path + "/in"
      )
      let words = result.errorText
      #expect(result.status == (said == nil ? 0 : 12), "\(option) \(file): \(words)")
      #expect(said.map(words.contains) ?? words.isEmpty, "\(option) \(file): \(words)")
      // A key that is not the right one says nothing about the export.
      #expect(!words.contains("RASD_STORAGE_CORRUPT"), "\(option) \(file): \(words)")
      #expect(!words.contains("RASD_STORAGE_INTEGRITY"), "\(option) \(file): \(words)")
      #expect(!words.contains("horse"), "\(option) \(file): \(words)")
    }
  }

  @Test("a key of another kind, and none, are told apart from a wrong one", .containerTools)
  func otherKinds() throws {
    let cases = try CaseFolder(Self.program)
    let other = try cases.words(of: ["verify", "phrase.rasdx"], status: 12)
    #expect(other.count == 1 && other[0].contains("it has no slot for the kinds of key given"))
    #expect(other[0].hasSuffix("[RASD_STORAGE_KEY_UNAVAILABLE no-matching-slot]"))
    let none = try Product.run(["verify", "--quiet", cases.path("phrase.rasdx")])
    #expect(none.status == 12)
    #expect(none.errorText.hasSuffix("[RASD_STORAGE_KEY_UNAVAILABLE no-key-given]\n"))
    #expect(none.errorText.contains("give --passphrase-file, --key-file, --identity"))
  }
}
