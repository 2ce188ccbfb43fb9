internal import RasdCrypto

extension CipherTrial {
  /// Every given key under the format that was found, the one that fits first.
  ///
  /// Keys that prove none of the sampled pages come last: an interrupted `rekey` may have left
  /// but a few pages under them.
  mutating func pageKeys(_ found: Found) -> [PageKey] {
    let pages = sample(found.layout, Self.sampleCount)
    var proving: [(PageKey, Int)] = []
    var others: [PageKey] = []
    for key in keys.indices {
      for salt in salts(for: key, found) {
        guard let encryption = encryption(key, salt, found.kdf) else { continue }
        let authentication = found.authentication.flatMap { derive in
          salt.map {
            PageKey.authentication(
              encryption,
              salt: $0,
              function: derive.function,
              mask: derive.mask
            )
          }
        }
        let pageKey = PageKey(index: key, encryption: encryption, authentication: authentication)
        let codec = PageCodec(format: found.format, keys: [pageKey], pageCount: .max)
        let decoder = PageDecoder(found.layout, codec)
        let count = pages.count { decoder.proves($0.bytes.span, number: $0.number) }
        if count > 0 || (key == found.key && salt == found.salt) {
          proving.append((pageKey, key == found.key ? count + 1 : count))
        } else if salt == found.salt {
          others.append(pageKey)
        }
      }
    }
    proving.sort { $0.1 > $1.1 }
    return proving.map(\.0) + others
  }

  /// The salt that was found, and the known ones: sidecars may have been written under another.
  private func salts(for key: Int, _ found: Found) -> [[UInt8]?] {
    if case .raw(_, let own?) = keys[key] { return [own] }
    return [found.salt] + candidateSalts(found.layout).filter { $0 != found.salt }
  }
}
