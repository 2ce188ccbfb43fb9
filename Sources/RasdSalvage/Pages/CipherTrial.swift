internal import RasdCrypto
internal import RasdModel

/// Finds out how a file is encrypted, from nothing but its pages and the keys that were given.
///
/// A page whose HMAC holds decides. Where none does (HMAC off, every tag or the salt lost), b-tree
/// headers that make sense after decryption decide.
struct CipherTrial {
  let store: ByteStore
  let wals: [WALFile]
  let journals: [JournalFile]
  let keys: [DatabaseKey]
  let settings: CipherSettings
  /// Salts that may be right whatever page 1 says: given by hand, of a key, of copies of page 1.
  let salts: [[UInt8]]
  /// What was tried, for the report.
  var tried = Tried()
  /// Passphrase keys by key, salt and KDF: each takes a fraction of a second.
  private var derived: [Derivation: Secret] = [:]

  private struct Derivation: Hashable {
    let key: Int
    let salt: [UInt8]?
    let kdf: CipherKDF
  }

  struct Tried {
    var combinations: Int64 = 0
    var derivations: Int64 = 0
  }

  /// A way to read the file that proved itself.
  struct Found {
    var layout: PageLayout
    var format: CipherFormat
    /// The first key that fits, the salt and the KDF under which it does.
    var key: Int
    var salt: [UInt8]?
    /// `nil` where the salt can't be relied on: then pages are unproved, not failed.
    var authentication: Derive?
    var kdf: CipherKDF
    /// Whether an HMAC decided.
    var isProved: Bool
    /// Whether page 1 is known to be where `layout` has it.
    var isNumbered: Bool
  }

  /// How an HMAC key is derived from a page key.
  struct Derive: Hashable {
    var function: HashFunction
    var mask: UInt8
  }

  init(
    store: ByteStore,
    wals: [WALFile],
    journals: [JournalFile],
    keys: [DatabaseKey],
    settings: CipherSettings,
    salts: [[UInt8]]
  ) {
    self.store = store
    self.wals = wals
    self.journals = journals
    self.keys = keys
    self.settings = settings
    self.salts = salts
  }

  /// Tries layouts in the order of their likelihood.
  mutating func find() -> Found? {
    let plain = unshifted
    let shifted = shifted
    for samples in [2, Self.sampleCount] {
      if let found = byHMAC(plain, samples) { return found }
    }
    let decrypted = byStructure(plain, Self.sampleCount)
    if let decrypted, decrypted.isNumbered { return decrypted }
    if let found = byHMAC(shifted, Self.sampleCount) { return found }
    // With a salt at hand, pages that decrypt may yet be proved under other numbers.
    if let decrypted, salts.isEmpty { return numbered(decrypted) }
    if let found = byAlignment() { return numbered(found) }
    if let decrypted { return numbered(decrypted) }
    if let found = byStructure(shifted, Self.sampleCount) { return numbered(found) }
    // The file is past reading; its sidecars may not be.
    return byHMAC(plain, 0) ?? byStructure(plain, 0)
  }

  /// Pages looked at in each trial: enough to pass over damage to half the file.
  static let sampleCount = 32

  /// Bytes in front of page 1 that are reckoned with before the key is known; each place in them
  /// where page 1 may begin costs a passphrase its derivations.
  private static let usualShift: Int64 = 4_096

  /// The layouts of a file that begins at its first byte.
  private var unshifted: [PageLayout] {
    settings.pageSizes.map { PageLayout(pageSize: $0, reserved: 0, start: 0) }
  }

  /// Where the file's length or padding says that something was put in front of page 1 or cut off
  /// it, or whole small pages may have been.
  private var shifted: [PageLayout] {
    let padding = padding
    return settings.pageSizes.flatMap { pageSize -> [PageLayout] in
      let size = Int64(pageSize)
      let odd = store.size % size
      let first = odd == 0 ? size : odd
      let inFront = stride(from: first, to: max(odd + 1, Self.usualShift), by: Int64.Stride(size))
      let starts = (padding.map { [$0] } ?? []) + Array(inFront) + (odd == 0 ? [] : [odd - size])
      return starts.filter { $0 < store.size }.map {
        PageLayout(pageSize: pageSize, reserved: 0, start: $0)
      }
    }
  }

  /// How many bytes of one value, zeros most likely, stand in front of the rest.
  private var padding: Int64? {
    let head = store.bytes(at: 0, count: 1 << 20)
    guard let first = head.first, let end = head.firstIndex(where: { $0 != first }), end > 1 else {
      return nil
    }
    return Int64(end)
  }

  /// The salts to try with a layout: what stands where page 1 begins, and the known ones.
  func candidateSalts(_ layout: PageLayout) -> [[UInt8]] {
    var all = salts
    if layout.start >= 0 {
      let own = store.bytes(at: layout.start, count: CipherFormat.saltSize)
      if Self.isSalt(own) { all.insert(own, at: 0) }
    }
    var seen: Set<[UInt8]> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// Sixteen bytes that can be a salt: not wiped, and not the beginning of a plain header.
  static func isSalt(_ bytes: [UInt8]) -> Bool {
    bytes.count == CipherFormat.saltSize && bytes.contains { $0 != 0 }
      && bytes != DatabaseHeader.magic
  }

  /// Whether page 1 is wiped where it begins, or may begin in a file that was shifted.
  var lacksSalt: Bool {
    let starts = [0] + shifted.map(\.start)
    return starts.contains {
      let bytes = store.bytes(at: $0, count: CipherFormat.saltSize)
      return $0 >= 0 && bytes.count == CipherFormat.saltSize && !Self.isSalt(bytes)
    }
  }

  mutating func encryption(_ key: Int, _ salt: [UInt8]?, _ kdf: CipherKDF) -> Secret? {
    guard case .passphrase = keys[key] else {
      return PageKey.encryption(keys[key], salt: salt, kdf: kdf)
    }
    let derivation = Derivation(key: key, salt: salt, kdf: kdf)
    if let known = derived[derivation] { return known }
    let secret = PageKey.encryption(keys[key], salt: salt, kdf: kdf)
    derived[derivation] = secret
    tried.derivations += 1
    return secret
  }

  // MARK: By HMAC

  mutating func byHMAC(_ layouts: [PageLayout], _ samples: Int) -> Found? {
    guard settings.usesHMAC != false else { return nil }
    let looked = layouts.map { (layout: $0, pages: sample($0, samples)) }
    // Derivations are what costs: the likeliest KDF is tried on everything before the next.
    for turn in 0..<(keys.indices.map { kdfs($0).count }.max() ?? 0) {
      for key in keys.indices where turn < kdfs(key).count {
        for (layout, pages) in looked where !pages.isEmpty {
          for salt in salts(for: key, layout) {
            if let found = byHMAC(layout, pages, key, salt, kdfs(key)[turn]) { return found }
          }
        }
      }
    }
    return nil
  }

  private func salts(for key: Int, _ layout: PageLayout) -> [[UInt8]] {
    if case .raw(_, let own?) = keys[key] { return [own] }
    return candidateSalts(layout)
  }

  /// The KDFs to try with a key; for a raw one they say how its HMAC key is derived.
  private func kdfs(_ key: Int) -> [CipherKDF] {
    if case .passphrase = keys[key] { return settings.kdfs }
    return (settings.kdfFunction.map { [$0] } ?? [.sha512, .sha1, .sha256]).map {
      CipherKDF(function: $0, iterations: CipherFormat.fastIterations)
    }
  }

  private mutating func byHMAC(
    _ layout: PageLayout,
    _ pages: [Sample],
    _ key: Int,
    _ salt: [UInt8],
    _ kdf: CipherKDF
  ) -> Found? {
    guard let encryption = encryption(key, salt, kdf) else { return nil }
    for hmac in settings.hmacs(kdf.function) {
      for mask in settings.masks {
        let derive = Derive(function: kdf.function, mask: mask)
        let authentication = PageKey.authentication(
          encryption,
          salt: salt,
          function: derive.function,
          mask: mask
        )
        let pageKey = PageKey(index: key, encryption: encryption, authentication: authentication)
        for order in settings.orders {
          var format = CipherFormat(pageSize: layout.pageSize, hmac: hmac)
          format.pageNumberOrder = order
          guard format.usable >= 480 else { continue }
          tried.combinations += 1
          guard let header = proving(format, layout, pageKey, pages) else { continue }
          format.plaintextHeader = header
          let exact = PageLayout(
            pageSize: layout.pageSize,
            reserved: format.reserved,
            start: layout.start
          )
          return Found(
            layout: exact,
            format: format,
            key: key,
            salt: salt,
            authentication: derive,
            kdf: kdf,
            isProved: true,
            isNumbered: true
          )
        }
      }
    }
    return nil
  }

  /// The size of the clear header under which a sample proves itself; 0 where there is none or
  /// only pages behind page 1 do.
  private func proving(
    _ format: CipherFormat,
    _ layout: PageLayout,
    _ key: PageKey,
    _ pages: [Sample]
  ) -> Int? {
    var format = format
    let codec = PageCodec(format: format, keys: [key], pageCount: .max)
    let decoder = PageDecoder(layout, codec)
    let proved = pages.contains { decoder.proves($0.bytes.span, number: $0.number) }
    let headers = plaintextHeaders(layout)
    if headers.isEmpty { return proved ? 0 : nil }
    guard let first = pages.first(where: { $0.number == 1 }) else {
      return proved ? headers[0] : nil
    }
    for header in headers {
      format.plaintextHeader = header
      let codec = PageCodec(format: format, keys: [key], pageCount: .max)
      if PageDecoder(layout, codec).proves(first.bytes.span, number: 1) { return header }
    }
    return proved ? headers[0] : nil
  }

  /// Sizes of the clear header to try: none unless the file begins like a plain one.
  func plaintextHeaders(_ layout: PageLayout) -> [Int] {
    if let given = settings.plaintextHeader { return given > 0 ? [given] : [] }
    let magic = store.bytes(at: layout.start, count: CipherFormat.saltSize)
    guard layout.start >= 0, magic == DatabaseHeader.magic else { return [] }
    return [32, 16, 48, 64, 80, 96]
  }
}
