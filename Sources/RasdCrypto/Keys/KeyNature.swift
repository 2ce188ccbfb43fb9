internal import RasdModel

/// What a file or text that was given as a key turns out to be.
package enum KeyNature: String, Sendable, CaseIterable {
  case missing, unreadable, directory, empty, binary
  case tooLong = "too-long"
  case byteOrderMark = "byte-order-mark"
  case utf16 = "utf-16"
  case rawKey = "raw-key"
  case hexOfOtherLength = "hex-of-other-length"
  case text
  case publicKey = "public-key"
  case privateKey = "private-key"
  case encryptedPrivateKey = "encrypted-private-key"
  case traditionalPrivateKey = "traditional-private-key"
  case otherKey = "key-of-another-algorithm"
  case certificate
  case sshKey = "ssh-key"
  case damagedPEM = "damaged-pem"
  case derKey = "der-key"
  case export
  case zip
  case database

  /// Completes "this is …" for a person.
  package var phrase: String {
    switch self {
    case .missing: "no file"
    case .unreadable: "a file that can't be read"
    case .directory: "a directory"
    case .empty: "empty"
    case .binary: "no text"
    case .tooLong: "too long for a key or a passphrase"
    case .byteOrderMark: "text that begins with a byte order mark"
    case .utf16: "text in UTF-16"
    case .rawKey: "a raw key in hexadecimal"
    case .hexOfOtherLength: "hexadecimal, but not of 64 or 96 digits"
    case .text: "some other text"
    case .publicKey: "a public key"
    case .privateKey: "a private key (PEM)"
    case .encryptedPrivateKey: "a private key under a passphrase of its own"
    case .traditionalPrivateKey: "a private key in the traditional form, not PKCS #8"
    case .otherKey: "a key that is neither X25519 nor P-256"
    case .certificate: "a certificate"
    case .sshKey: "an SSH key"
    case .damagedPEM: "a damaged PEM file"
    case .derKey: "a key in binary form (DER), not PEM"
    case .export: "an export"
    case .zip: "a ZIP archive"
    case .database: "a database"
    }
  }

  /// What the bytes are by their look; at least `.text` or `.binary`.
  package init(of bytes: Span<UInt8>) {
    self = Self.binaryForm(of: bytes) ?? Self.textForm(of: bytes)
  }

  static func byteOrderMark(of bytes: Span<UInt8>) -> KeyNature? {
    if starts(bytes, [0xEF, 0xBB, 0xBF]) { return .byteOrderMark }
    if starts(bytes, [0xFF, 0xFE]) || starts(bytes, [0xFE, 0xFF]) { return .utf16 }
    return nil
  }

  private static func binaryForm(of bytes: Span<UInt8>) -> KeyNature? {
    if bytes.isEmpty { return .empty }
    if let mark = byteOrderMark(of: bytes) { return mark }
    if starts(bytes, Array("PK\u{3}\u{4}".utf8)) {
      let name = Array("manifest.json".utf8)
      return bytes.count >= 43
        && Libcrypto.equal(bytes.extracting(30..<43), name.span) ? .export : .zip
    }
    if starts(bytes, Array("SQLite format 3\0".utf8)) { return .database }
    if isDER(bytes) { return .derKey }
    for i in bytes.indices where bytes[i] == 0 { return .binary }
    return nil
  }

  /// One sequence to the end of the file, told from text by its length or its first element.
  private static func isDER(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 4, bytes[0] == DER.Tag.sequence else { return false }
    if (0x81...0x83).contains(bytes[1]) { return true }
    return Int(bytes[1]) == bytes.count - 2
      && (bytes[2] == DER.Tag.integer || (bytes[2] == DER.Tag.sequence && bytes[3] < 0x20))
  }

  private static func textForm(of bytes: Span<UInt8>) -> KeyNature {
    let blocks = PEM.blocks(in: bytes)
    for block in blocks {
      if let nature = pemForm(block, in: bytes) { return nature }
    }
    let words = trimmed(bytes)
    if words.isEmpty { return .empty }
    if starts(words, Array("-----BEGIN ".utf8)) { return .damagedPEM }
    for prefix in ["ssh-ed25519 ", "ssh-rsa ", "ecdsa-sha2-"]
    where starts(words, Array(prefix.utf8)) {
      return .sshKey
    }
    if starts(words, Array(#"{"rasdx":"#.utf8)) { return .export }
    if isHex(words) {
      return words.count == 64 || words.count == 96 ? .rawKey : .hexOfOtherLength
    }
    return (try? UTF8Span(validating: bytes)) != nil ? .text : .binary
  }

  private static func pemForm(_ block: PEM.Block, in bytes: Span<UInt8>) -> KeyNature? {
    switch block.label {
    case PEM.publicKey, PEM.privateKey:
      guard let der = PEM.decode(bytes.extracting(block.body)) else { return .damagedPEM }
      do throws(KeyEncoding.Fault) {
        if block.label == PEM.publicKey {
          _ = try KeyEncoding.readPublicKey(der.bytes)
          return .publicKey
        }
        _ = try KeyEncoding.readPrivateKey(der.bytes)
        return .privateKey
      } catch {
        return error == .otherAlgorithm ? .otherKey : .damagedPEM
      }
    case "ENCRYPTED PRIVATE KEY": return .encryptedPrivateKey
    case "OPENSSH PRIVATE KEY": return .sshKey
    case "CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE": return .certificate
    case let label where label.hasSuffix("PRIVATE KEY"): return .traditionalPrivateKey
    default: return nil
    }
  }

  /// Without the white space at both ends.
  @_lifetime(copy bytes)
  static func trimmed(_ bytes: Span<UInt8>) -> Span<UInt8> {
    var range = 0..<bytes.count
    while let first = range.first, PEM.isSpace(bytes[first]) { range = range.dropFirst() }
    while let last = range.last, PEM.isSpace(bytes[last]) { range = range.dropLast() }
    return bytes.extracting(range)
  }

  private static func isHex(_ bytes: Span<UInt8>) -> Bool {
    for i in bytes.indices where Hex.value(of: bytes[i], .anyCase) == nil { return false }
    return true
  }

  private static func starts(_ bytes: Span<UInt8>, _ prefix: [UInt8]) -> Bool {
    bytes.count >= prefix.count
      && Libcrypto.equal(bytes.extracting(first: prefix.count), prefix.span)
  }
}
