internal import RasdCrypto

extension CipherTrial {
  /// Finds where pages begin in a file that was shifted by an unknown number of bytes, once a key
  /// is known without the salt that page 1 holds.
  mutating func byAlignment() -> Found? {
    for key in keys.indices {
      var known: [[UInt8]?] = salts
      if case .raw(_, let own) = keys[key] { known = [own] }
      for salt in known {
        for kdf in alignmentKDFs(key) {
          guard let encryption = encryption(key, salt, kdf) else { continue }
          if let found = aligned(key, encryption, kdf, salt) { return found }
        }
      }
    }
    return nil
  }

  private func alignmentKDFs(_ key: Int) -> [CipherKDF] {
    if case .raw = keys[key] { return [CipherKDF(function: .sha512, iterations: 2)] }
    return settings.kdfs
  }

  private mutating func aligned(
    _ key: Int,
    _ encryption: Secret,
    _ kdf: CipherKDF,
    _ salt: [UInt8]?
  ) -> Found? {
    tried.combinations += 1
    guard
      let place = CipherAlignment.find(
        store,
        encryption,
        pageSizes: settings.pageSizes,
        reserves: settings.usesHMAC == false ? [16] : [80, 48, 16]
      )
    else { return nil }
    let size = Int64(place.pageSize)
    // Page 1 may begin at any page boundary: behind junk, or before the file where its first
    // pages are missing. An HMAC decides, since the number is in it.
    let reach = Self.reach
    let starts = (-reach...reach).sorted { abs($0) < abs($1) }.map {
      Int64(place.residue) + $0 * size
    }
    for start in starts where start < store.size {
      let layout = PageLayout(pageSize: place.pageSize, reserved: 0, start: start)
      let salts = salt.map { [$0] } ?? candidateSalts(layout)
      guard !salts.isEmpty else { continue }
      if let found = proved(layout, place, key, encryption, salts, kdf) { return found }
    }
    var format = CipherFormat(pageSize: place.pageSize, hmac: nil)
    format.reserved = place.reserved
    if place.reserved > 16 { format.hmac = place.reserved == 80 ? .sha512 : .sha1 }
    let layout = PageLayout(
      pageSize: place.pageSize,
      reserved: place.reserved,
      start: Int64(place.residue)
    )
    return Found(
      layout: layout,
      format: format,
      key: key,
      salt: salt,
      authentication: nil,
      kdf: kdf,
      isProved: false,
      isNumbered: false
    )
  }

  /// Finds page 1 where no HMAC gives pages a number: by its own header, else by the decrypted
  /// pages' pointers to each other.
  mutating func numbered(_ found: Found) -> Found {
    guard !found.isNumbered else { return found }
    let keys = self.keys.indices.compactMap { index in
      encryption(index, found.salt, found.kdf).map {
        PageKey(index: index, encryption: $0, authentication: nil)
      }
    }
    let codec = PageCodec(format: found.format, keys: keys, pageCount: .max)
    let decoder = PageDecoder(found.layout, codec)
    var found = found
    let start =
      startOfHeader(found, decoder)
      ?? PageNumbering.start(store, found.layout) { decoder.decode($0, number: 2).bytes }
    found.layout = PageLayout(
      pageSize: found.layout.pageSize,
      reserved: found.layout.reserved,
      start: start
    )
    return found
  }

  /// The first page boundary behind which a database header decrypts.
  private func startOfHeader(_ found: Found, _ decoder: PageDecoder) -> Int64? {
    let size = Int64(found.layout.pageSize)
    let residue = ((found.layout.start % size) + size) % size
    return (0...Self.reach).map { residue + $0 * size }.first {
      let bytes = store.bytes(at: $0, count: found.layout.pageSize)
      guard bytes.count == found.layout.pageSize, found.format.plaintextHeader == 0,
        let header = DatabaseHeader(decoder.decode(bytes.span, number: 1).bytes)
      else { return false }
      return header.pageSize == found.layout.pageSize && header.reserved == found.layout.reserved
    }
  }

  /// Whole pages put in front or cut off that are looked for: more than a megabyte at any size.
  private static let reach: Int64 = 256

  private mutating func proved(
    _ layout: PageLayout,
    _ place: CipherAlignment.Place,
    _ key: Int,
    _ encryption: Secret,
    _ salts: [[UInt8]],
    _ kdf: CipherKDF
  ) -> Found? {
    let number = (place.page - layout.start) / Int64(place.pageSize) + 1
    guard place.reserved > 16, number >= 1, let number = UInt32(exactly: number) else { return nil }
    let bytes = store.bytes(at: place.page, count: place.pageSize)
    let functions = settings.kdfFunction.map { [$0] } ?? [.sha512, .sha1, .sha256]
    for salt in salts {
      for function in functions {
        for hmac in settings.hmacs(function)
        where CipherFormat.reserved(hmac) == place.reserved {
          let derive = Derive(function: function, mask: settings.masks[0])
          let authentication = PageKey.authentication(
            encryption,
            salt: salt,
            function: function,
            mask: derive.mask
          )
          let pageKey = PageKey(index: key, encryption: encryption, authentication: authentication)
          for order in settings.orders {
            var format = CipherFormat(pageSize: place.pageSize, hmac: hmac)
            format.pageNumberOrder = order
            let codec = PageCodec(format: format, keys: [pageKey], pageCount: .max)
            guard PageDecoder(layout, codec).proves(bytes.span, number: number) else { continue }
            let exact = PageLayout(
              pageSize: place.pageSize,
              reserved: place.reserved,
              start: layout.start
            )
            return Found(
              layout: exact,
              format: format,
              key: key,
              salt: salt,
              authentication: derive,
              kdf: CipherKDF(function: function, iterations: kdf.iterations),
              isProved: true,
              isNumbered: true
            )
          }
        }
      }
    }
    return nil
  }
}
