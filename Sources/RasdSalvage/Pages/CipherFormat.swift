package import RasdCrypto

/// How a SQLCipher file is laid out, but for its keys.
package struct CipherFormat: Hashable, Sendable {
  package var pageSize: Int
  /// Reserved bytes at the end of each page: IV, HMAC and padding to a whole block.
  package var reserved: Int
  /// `nil` where HMAC is off (SQLCipher 1, `cipher_use_hmac = OFF`).
  package var hmac: HashFunction?
  /// How the page number goes into the HMAC (`cipher_hmac_pgno`).
  package var pageNumberOrder: ByteOrder = .little
  /// Bytes of page 1 that stay clear (`cipher_plaintext_header_size`); 0 where the salt is there.
  package var plaintextHeader = 0

  package enum ByteOrder: String, Hashable, Sendable, CaseIterable { case little, big }

  package var usable: Int { pageSize - reserved }

  package init(pageSize: Int, hmac: HashFunction?) {
    self.pageSize = pageSize
    self.hmac = hmac
    reserved = Self.reserved(hmac)
  }

  /// IV and tag, rounded up to whole AES blocks.
  static func reserved(_ hmac: HashFunction?) -> Int {
    (AES256CBC.blockSize + (hmac?.size ?? 0) + 15) / 16 * 16
  }

  static let saltSize = 16
  static let keySize = AES256CBC.keySize
  /// What a salt is XORed with to give the salt of the HMAC key, unless set otherwise.
  static let saltMask: UInt8 = 0x3A
  /// Iterations from the page key to the HMAC key (`fast_kdf_iter`).
  static let fastIterations = 2

  /// Where encryption begins on a page.
  func bodyStart(_ number: UInt32) -> Int {
    number == 1 ? (plaintextHeader > 0 ? plaintextHeader : Self.saltSize) : 0
  }
}

/// How a passphrase becomes a key.
package struct CipherKDF: Hashable, Sendable {
  package var function: HashFunction
  package var iterations: Int

  /// SQLCipher 4, 3, and 1 and 2, then what people set by hand.
  static let usual = [
    CipherKDF(function: .sha512, iterations: 256_000),
    CipherKDF(function: .sha1, iterations: 64_000),
    CipherKDF(function: .sha1, iterations: 4_000),
    CipherKDF(function: .sha256, iterations: 256_000),
    CipherKDF(function: .sha512, iterations: 64_000),
    CipherKDF(function: .sha256, iterations: 64_000),
    CipherKDF(function: .sha512, iterations: 4_000),
    CipherKDF(function: .sha256, iterations: 4_000),
  ]
}

/// What a person knows of how a file was encrypted; what is `nil` is found by trial.
package struct CipherSettings: Sendable {
  package var pageSize: Int?
  package var kdfFunction: HashFunction?
  package var kdfIterations: Int?
  package var hmacFunction: HashFunction?
  package var usesHMAC: Bool?
  package var pageNumberOrder: CipherFormat.ByteOrder?
  package var saltMask: UInt8?
  package var plaintextHeader: Int?

  package init() {}

  /// The defaults of a SQLCipher major version (`cipher_compatibility`), 1 to 4.
  package init?(version: Int) {
    guard (1...4).contains(version) else { return nil }
    pageSize = version == 4 ? 4_096 : 1_024
    kdfFunction = version == 4 ? .sha512 : .sha1
    kdfIterations = [4_000, 4_000, 64_000, 256_000][version - 1]
    usesHMAC = version > 1
    hmacFunction = version == 4 ? .sha512 : .sha1
  }

  /// The PBKDF2 settings to try, likeliest first.
  var kdfs: [CipherKDF] {
    if let iterations = kdfIterations, iterations > 0, iterations <= Int(Int32.max) {
      let functions = kdfFunction.map { [$0] } ?? [.sha512, .sha1, .sha256]
      return functions.map { CipherKDF(function: $0, iterations: iterations) }
    }
    return CipherKDF.usual.filter { kdfFunction == nil || $0.function == kdfFunction }
  }

  var pageSizes: [Int] {
    if let pageSize, PageLayout.isPageSize(pageSize) { return [pageSize] }
    return [4_096, 1_024, 2_048, 8_192, 16_384, 32_768, 65_536, 512]
  }

  /// Every HMAC layout to try, that of the KDF's own function first.
  func hmacs(_ kdf: HashFunction?) -> [HashFunction] {
    if usesHMAC == false { return [] }
    if let hmacFunction { return [hmacFunction] }
    let all: [HashFunction] = [.sha512, .sha1, .sha256]
    return kdf.map { first in [first] + all.filter { $0 != first } } ?? all
  }

  var orders: [CipherFormat.ByteOrder] { pageNumberOrder.map { [$0] } ?? [.little, .big] }
  var masks: [UInt8] { saltMask.map { [$0] } ?? [CipherFormat.saltMask, 0] }
}
