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

/// Where encrypted pages lie in a file, told from the first block of each alone.
///
/// In CBC a page's first block needs only itself and the IV at the page's end. Decrypting a window
/// in all sixteen phases gives every possible first block at once; what remains for each page
/// size, layout and offset is an exclusive or.
enum CipherAlignment {
  struct Place {
    let pageSize: Int
    let reserved: Int
    /// File offset of pages, modulo the page size.
    let residue: Int
    /// File offset of a page that made sense.
    let page: Int64
  }

  /// Bytes looked at: 16 pages of the largest size.
  private static let window = 1 << 20
  /// Offsets that deserve a whole page's decryption: more than there are pages in the window, and
  /// many more than chance brings.
  private static let candidateLimit = 4_096

  static func find(_ store: ByteStore, _ key: Secret, pageSizes: [Int], reserves: [Int]) -> Place? {
    let bytes = store.bytes(at: 0, count: window)
    guard bytes.count >= 512 else { return nil }
    let blocks = decryptedBlocks(bytes, key)
    var best: (votes: Int, place: Place)?
    for size in pageSizes where size <= bytes.count {
      for reserved in reserves where size - reserved >= 480 {
        var votes: [Int: (count: Int, page: Int)] = [:]
        var candidates = 0
        for at in 0...(bytes.count - size) where candidates < candidateLimit {
          let iv = at + size - reserved
          guard looksLikeHeader(blocks.span, bytes.span, at, iv, size - reserved) else { continue }
          candidates += 1
          guard isPage(bytes, at, size, reserved, key) else { continue }
          let old = votes[at % size] ?? (0, at)
          votes[at % size] = (old.count + 1, old.page)
        }
        guard let top = votes.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })
        else { continue }
        if top.value.count > best?.votes ?? 0 {
          let place = Place(
            pageSize: size,
            reserved: reserved,
            residue: top.key,
            page: Int64(top.value.page)
          )
          best = (top.value.count, place)
        }
      }
    }
    return best?.place
  }

  /// For every offset, the block there after the cipher but before CBC's exclusive or.
  private static func decryptedBlocks(_ bytes: [UInt8], _ key: Secret) -> [UInt8] {
    let block = AES256CBC.blockSize
    var cipher = AES256CBC(.decrypt, key: key.bytes)
    let zero = [UInt8](repeating: 0, count: block)
    var out = [UInt8](repeating: 0, count: bytes.count * headerBytes)
    for phase in 0..<block {
      let length = (bytes.count - phase) / block * block
      guard length > 0 else { break }
      let plain = [UInt8](capacity: length) {
        cipher.apply(bytes.span.extracting(phase..<(phase + length)), iv: zero.span, into: &$0)
      }
      for start in stride(from: 0, to: length, by: block) {
        let at = phase + start
        for i in 0..<headerBytes {
          let previous = start == 0 ? 0 : bytes[at - block + i]
          out[at * headerBytes + i] = plain[start + i] ^ previous
        }
      }
    }
    return out
  }

  /// Type, first freeblock, cell count, content start, fragments.
  private static let headerBytes = 8

  private static func looksLikeHeader(
    _ blocks: Span<UInt8>,
    _ bytes: Span<UInt8>,
    _ at: Int,
    _ iv: Int,
    _ usable: Int
  ) -> Bool {
    let from = at * headerBytes
    let kind = blocks[from] ^ bytes[iv]
    guard kind == 13 || kind == 10 || kind == 5 || kind == 2 else { return false }
    guard blocks[from + 7] ^ bytes[iv + 7] <= 60 else { return false }
    let cells = Int(blocks[from + 3] ^ bytes[iv + 3]) << 8 | Int(blocks[from + 4] ^ bytes[iv + 4])
    let content = Int(blocks[from + 5] ^ bytes[iv + 5]) << 8 | Int(blocks[from + 6] ^ bytes[iv + 6])
    return cells >= 2 && content >= 8 + 2 * cells && content <= usable
  }

  private static func isPage(
    _ bytes: [UInt8],
    _ at: Int,
    _ size: Int,
    _ reserved: Int,
    _ key: Secret
  ) -> Bool {
    var cipher = AES256CBC(.decrypt, key: key.bytes)
    let end = at + size - reserved
    let plain = [UInt8](capacity: size) {
      cipher.apply(
        bytes.span.extracting(at..<end),
        iv: bytes.span.extracting(end..<(end + 16)),
        into: &$0
      )
    }
    return PageStructure.btree(plain.span, page: 0, header: 0, usable: size - reserved)?.isStrong
      == true
  }
}
