internal import RasdModel

/// The textual form of keys (RFC 7468): base64 between two lines that name what it is.
enum PEM {
  static let publicKey = "PUBLIC KEY"
  static let privateKey = "PRIVATE KEY"

  /// One block of a text: its label and where its base64 stands.
  struct Block {
    let label: String
    let body: Range<Int>
  }

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// The blocks of a text in their order; a block without its end is left out.
  ///
  /// What stands between blocks means nothing.
  static func blocks(in text: Span<UInt8>) -> [Block] {
    var blocks: [Block] = []
    var open: (label: String, start: Int)?
    var at = 0
    while at < text.count {
      var lineEnd = at
      while lineEnd < text.count, text[lineEnd] != UInt8(ascii: "\n") { lineEnd += 1 }
      let line = text.extracting(at..<lineEnd)
      let next = min(lineEnd + 1, text.count)
      if let label = label(of: line, after: begin) {
        open = (label, next)
      } else if let label = label(of: line, after: end) {
        if let block = open, block.label == label {
          blocks.append(Block(label: label, body: block.start..<at))
        }
        open = nil
      }
      at = lineEnd + 1
    }
    return blocks
  }

  private static func label(of line: Span<UInt8>, after prefix: [UInt8]) -> String? {
    var count = line.count
    while count > 0, isSpace(line[count - 1]) { count -= 1 }
    guard count > prefix.count + dashes.count,
      Libcrypto.equal(line.extracting(..<prefix.count), prefix.span),
      Libcrypto.equal(line.extracting(count - dashes.count..<count), dashes.span)
    else { return nil }
    let label = line.extracting(prefix.count..<count - dashes.count)
    return String(validating: [UInt8](copying: label), as: UTF8.self)
  }

  /// The bytes that base64 stands for, white space left out; nil where it is none.
  static func decode(_ text: Span<UInt8>) -> Secret? {
    var valid = true
    let secret = Secret(capacity: text.count) { output in
      var pool: UInt32 = 0
      var bits = 0
      var padding = 0
      var digits = 0
      for i in text.indices where !isSpace(text[i]) {
        digits += 1
        if text[i] == UInt8(ascii: "=") {
          padding += 1
          continue
        }
        guard padding == 0, let value = value(of: text[i]) else {
          valid = false
          return
        }
        pool = (pool << 6 | value) & 0xFFFF
        bits += 6
        if bits >= 8 {
          bits -= 8
          output.append(UInt8(truncatingIfNeeded: pool >> UInt32(bits)))
        }
      }
      valid = digits % 4 == 0 && padding <= 2 && bits < 6 && pool & ((1 << UInt32(bits)) - 1) == 0
    }
    return valid ? secret : nil
  }

  /// A block in lines of 64 characters, its last line ended.
  static func encode(_ label: String, _ bytes: Span<UInt8>) -> Secret {
    let front = Array("-----BEGIN \(label)-----\n".utf8)
    let back = Array("-----END \(label)-----\n".utf8)
    let digits = (bytes.count + 2) / 3 * 4
    let lines = (digits + 63) / 64
    return Secret(capacity: front.count + digits + lines + back.count) { output in
      output.append(copying: front.span)
      var column = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        if column == 64 {
          output.append(UInt8(ascii: "\n"))
          column = 0
        }
        let count = min(3, bytes.count - start)
        var pool: UInt32 = 0
        for i in 0..<3 { pool = pool << 8 | (i < count ? UInt32(bytes[start + i]) : 0) }
        for i in 0..<4 {
          output.append(i <= count ? digit(pool >> UInt32(18 - 6 * i) & 63) : UInt8(ascii: "="))
        }
        column += 4
      }
      output.append(UInt8(ascii: "\n"))
      output.append(copying: back.span)
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    switch UInt8(value) {
    case let value where value < 26: value + 65
    case let value where value < 52: value + 71
    case let value where value < 62: value - 4
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
