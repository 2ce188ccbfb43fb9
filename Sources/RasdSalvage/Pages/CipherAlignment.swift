internal import RasdCrypto

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
