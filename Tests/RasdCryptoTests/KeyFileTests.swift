import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct KeyFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let digits = "00112233445566778899aabbccddeeff0123456789ABCDEF0123456789abcdef"

  /// What a file of these bytes is found to be when it is read for something else.
  private func found(_ bytes: [UInt8], as expected: KeyNature.Expected) throws -> String? {
    let path = try directory.write(bytes, to: "file with space #%")
    do throws(RasdError) {
      switch expected {
      case .passphrase: _ = try KeyFile.passphrase(path)
      case .rawKey: _ = try KeyFile.rawKey(path)
      case .identity: _ = try KeyFile.identity(path)
      case .recipient: _ = try KeyFile.recipient(path)
      case .keyRing: _ = try KeyRing(path: path)
      }
      return nil
    } catch {
      #expect(error == RasdError(.keyUnavailable, .keyFileInvalid))
      #expect(error.details["path"] == .text(path))
      #expect(error.details["expected"] == .text(expected.rawValue))
      guard case .text(let found) = error.details["found"] else { return "" }
      return found
    }
  }

  @Test(arguments: ["", "\n", "\r\n", "  \n"])
  func rawKeys(_ end: String) throws {
    let path = try directory.write(Self.digits + end, to: "key")
    let (key, file) = try KeyFile.rawKey(path)
    #expect(Hex.encode(key.secret.copy) == Self.digits.lowercased())
    #expect(key.salt == nil)
    #expect(file.nature == .rawKey)
    let salted = try directory.write(
      Self.digits + String(Self.digits.prefix(32)) + end,
      to: "salted"
    )
    let (withSalt, _) = try KeyFile.rawKey(salted)
    #expect(withSalt.secret.copy == key.secret.copy)
    #expect(withSalt.salt == Array(key.secret.copy.prefix(16)))
    #expect(withSalt.fingerprint == key.fingerprint)
    #expect(!Self.digits.contains(key.fingerprint))
  }

  @Test func whatAFileIsGetsSaid() throws {
    let identity = Identity.make(.x25519)
    let publicPEM = Array(identity.recipient.pem.utf8)
    let key = Array(Self.digits.utf8)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let table: [([UInt8], KeyNature.Expected, KeyNature)] = [
      (publicPEM, .identity, .publicKey),
      (publicPEM, .passphrase, .publicKey),
      (publicPEM, .rawKey, .publicKey),
      (identity.pem.copy, .recipient, .privateKey),
      (identity.pem.copy, .rawKey, .privateKey),
      (identity.pem.copy, .passphrase, .privateKey),
      (key, .identity, .rawKey),
      (Array(key.dropLast()), .rawKey, .hexOfOtherLength),
      (mark + key, .rawKey, .byteOrderMark),
      (mark + Array("secret".utf8), .passphrase, .byteOrderMark),
      ([0xFF, 0xFE, 0x61, 0], .passphrase, .utf16),
      ([], .passphrase, .empty),
      ([], .rawKey, .empty),
      (Array("\n".utf8), .passphrase, .empty),
      (Array("hello".utf8), .rawKey, .text),
      (Array("hello".utf8), .identity, .text),
      ([0x61, 0, 0x62], .passphrase, .binary),
      (Array("SQLite format 3\0".utf8), .passphrase, .database),
      (
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26) + Array("manifest.json".utf8),
        .passphrase, .export
      ),
      (Array("PK\u{3}\u{4}and so on".utf8), .passphrase, .zip),
      (Array(#"{"rasdx":1,"rasd":"1.0"}"#.utf8), .passphrase, .export),
      (Array("-----BEGIN PRIVATE KEY-----\nMC4CAQ\n".utf8), .identity, .damagedPEM),
      (
        Array("-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n".utf8), .identity,
        .damagedPEM
      ),
      (
        Array("-----BEGIN CERTIFICATE-----\nMC4C\n-----END CERTIFICATE-----\n".utf8), .recipient,
        .certificate
      ),
      (Array("ssh-ed25519 AAAA".utf8), .recipient, .sshKey),
      ([UInt8](repeating: 0x61, count: KeyFile.sizeLimit + 1), .passphrase, .tooLong),
      (
        Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0x61, count: KeyFile.sizeLimit),
        .rawKey, .database
      ),
    ]
    for (bytes, expected, nature) in table {
      let name = try found(bytes, as: expected)
      #expect(name == nature.rawValue, "given for a \(expected)")
    }
    #expect(Set(KeyNature.allCases.map(\.phrase)).count == KeyNature.allCases.count)
  }

  @Test func filesThatAreNone() throws {
    func nature(_ path: String) -> RasdError.Detail? {
      do throws(RasdError) {
        _ = try KeyFile.passphrase(path)
        return nil
      } catch { return error.details["found"] }
    }
    #expect(nature(directory.file("absent")) == .text("missing"))
    #expect(nature(directory.path) == .text("directory"))
  }

  @Test(arguments: [(0o600, false), (0o640, true), (0o604, true), (0o644, true), (0o620, false)])
  func othersMayReadIt(_ mode: Int, _ isReadable: Bool) throws {
    let path = try directory.write("secret", to: "phrase")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(try KeyFile.passphrase(path).1.isReadableByOthers == isReadable)
    var credentials = Credentials()
    try credentials.addPassphraseFile(path)
    #expect(credentials.exposed == (isReadable ? [path] : []))
  }

  @Test func passphraseOfADescriptor() throws {
    let path = try directory.write("secret\r\n", to: "phrase")
    let made = try KeyFile.passphrase(descriptor: unsafe open(path, O_RDONLY))
    #expect(made.asGiven.copy == Array("secret".utf8))
    #expect(throws: RasdError(.keyUnavailable, .keyFileInvalid)) {
      try KeyFile.passphrase(descriptor: 987)
    }
  }

  /// A pipe gives its bytes by pieces and has no length.
  @Test func passphraseOfAPipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("sec".utf8))
    try pipe.fileHandleForWriting.write(contentsOf: Data("ret\n".utf8))
    try pipe.fileHandleForWriting.close()
    let made = try KeyFile.passphrase(descriptor: dup(pipe.fileHandleForReading.fileDescriptor))
    #expect(made.asGiven.copy == Array("secret".utf8))
  }
}
