internal import RasdCrypto

extension CipherTrial {
  /// Finds the format by what pages look like after decryption, where no HMAC holds.
  mutating func byStructure(_ layouts: [PageLayout], _ samples: Int) -> Found? {
    var best: (score: Int, found: Found)?
    for layout in layouts {
      let pages = sample(layout, samples)
      guard !pages.isEmpty else { continue }
      for key in keys.indices {
        for (salt, kdf) in derivations(key, layout) {
          guard let encryption = encryption(key, salt, kdf) else { continue }
          for format in formats(layout, kdf.function) {
            tried.combinations += 1
            let (score, isFirstSound) = score(format, layout, encryption, pages)
            guard score >= Self.enough, score > best?.score ?? 0 else { continue }
            // Tags that don't hold mean damage only where the salt is known to be right, as
            // a page 1 that makes sense suggests; else it is the salt that is wrong.
            let derive = Derive(function: kdf.function, mask: settings.masks[0])
            let isSaltKnown = salt != nil && isFirstSound && format.hmac != nil
            let exact = PageLayout(
              pageSize: layout.pageSize,
              reserved: format.reserved,
              start: layout.start
            )
            best = (
              score,
              Found(
                layout: exact,
                format: format,
                key: key,
                salt: salt,
                authentication: isSaltKnown ? derive : nil,
                kdf: kdf,
                isProved: false,
                isNumbered: isFirstSound
              )
            )
          }
        }
      }
    }
    return best?.found
  }

  /// Two b-tree pages with cells that make sense, or a page 1 whose header does.
  private static let enough = 2

  /// The salts and KDFs to try with a key; a raw key needs neither to decrypt.
  private func derivations(_ key: Int, _ layout: PageLayout) -> [([UInt8]?, CipherKDF)] {
    let salts = candidateSalts(layout)
    if case .raw(_, let own) = keys[key] {
      let salt = own ?? salts.first
      let functions = settings.kdfFunction.map { [$0] } ?? [.sha512, .sha1, .sha256]
      return functions.map { (salt, CipherKDF(function: $0, iterations: 2)) }
    }
    return salts.flatMap { salt in settings.kdfs.map { (salt, $0) } }
  }

  /// HMAC layouts that differ in how much of a page they reserve, and none.
  private func formats(_ layout: PageLayout, _ kdf: HashFunction) -> [CipherFormat] {
    let pageSize = layout.pageSize
    var formats: [CipherFormat] = []
    for hmac in settings.hmacs(kdf) where CipherFormat.reserved(hmac) == Self.customary(kdf) {
      formats.append(CipherFormat(pageSize: pageSize, hmac: hmac))
    }
    if formats.isEmpty, let hmac = settings.hmacs(kdf).first {
      formats.append(CipherFormat(pageSize: pageSize, hmac: hmac))
    }
    if settings.usesHMAC != true { formats.append(CipherFormat(pageSize: pageSize, hmac: nil)) }
    for index in formats.indices {
      formats[index].pageNumberOrder = settings.orders[0]
      formats[index].plaintextHeader = plaintextHeaders(layout).first ?? 0
    }
    return formats.filter { $0.usable >= 480 }
  }

  /// KDF and HMAC use one function unless somebody set them apart.
  private static func customary(_ kdf: HashFunction) -> Int { CipherFormat.reserved(kdf) }

  private func score(
    _ format: CipherFormat,
    _ layout: PageLayout,
    _ encryption: Secret,
    _ pages: [Sample]
  ) -> (Int, isFirstSound: Bool) {
    let key = PageKey(index: 0, encryption: encryption, authentication: nil)
    let codec = PageCodec(format: format, keys: [key], pageCount: .max)
    let decoder = PageDecoder(layout, codec)
    var score = 0
    var isFirstSound = false
    for page in pages {
      let bytes = decoder.decode(page.bytes.span, number: page.number).bytes
      if page.number == 1, format.plaintextHeader == 0,
        let header = DatabaseHeader(fieldsOf: bytes),
        header.pageSize == format.pageSize, header.reserved == format.reserved
      {
        isFirstSound = true
        score += 2
      }
      let tree = PageStructure.btree(
        bytes.span,
        page: 0,
        header: page.number == 1 ? 100 : 0,
        usable: format.usable
      )
      if let tree, tree.isStrong { score += 1 }
    }
    return (score, isFirstSound)
  }
}
