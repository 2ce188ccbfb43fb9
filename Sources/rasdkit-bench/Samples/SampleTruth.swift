import RasdCrypto
import RasdModel

/// What a salvage of a sample should find, written down before the damage: `truth.jsonl`, a row or
/// a file a line, a BLOB as its length and hash.
struct SampleTruth {
  private var lines: [JSONValue] = []

  /// A row; its grade and kind where they are known for certain.
  mutating func add(
    _ table: String,
    _ row: JSONValue,
    _ grade: Grade? = nil,
    kind: RowKind = .orphan,
    holes: [Range<Int>] = []
  ) {
    var line: [JSONValue.Member] = [.init("table", .string(table)), .init("row", row)]
    if let grade {
      line.append(.init("grade", .string(grade.rawValue)))
      line.append(.init("kind", .string(kind.rawValue)))
    }
    if !holes.isEmpty {
      let list: [JSONValue] = holes.map {
        ["offset": Self.number($0.lowerBound), "length": Self.number($0.count)]
      }
      line.append(.init("holes", .array(list)))
    }
    lines.append(.object(line))
  }

  /// A file below `files/`.
  mutating func add(file: String, _ bytes: [UInt8]) {
    lines.append(["file": .string(file), "content": Self.blob(bytes)])
  }

  func write(to root: String) throws {
    var text: [UInt8] = []
    for line in lines {
      line.write(to: &text)
      text.append(UInt8(ascii: "\n"))
    }
    try OutputFile.write(text, to: "\(root)/truth.jsonl")
  }

  static func blob(_ bytes: [UInt8]) -> JSONValue {
    ["bytes": number(bytes.count), "sha256": .string(SHA256.digest(bytes.span).hex)]
  }

  static func number(_ number: Int) -> JSONValue { .number(JSONNumber(Int64(number))) }
}

/// A plain database's bytes, about to be damaged.
struct SamplePages {
  static let size = 4096
  var bytes: [UInt8]

  /// Where the page begins in which a text stands for the first time.
  func page(of text: String) throws -> Int {
    try Self.offset(of: text, in: bytes) / Self.size * Self.size
  }

  func page(at start: Int, holds text: String) -> Bool {
    (try? Self.offset(of: text, in: Array(bytes[start..<(start + Self.size)]))) != nil
  }

  mutating func zeroPage(at start: Int) {
    for at in start..<(start + Self.size) { bytes[at] = 0 }
  }

  static func offset(of text: String, in bytes: [UInt8]) throws -> Int {
    let wanted = Array(text.utf8)
    let found = (0...max(0, bytes.count - wanted.count)).first { at in
      bytes[at] == wanted[0] && bytes[at...].starts(with: wanted)
    }
    guard let found else { throw RasdError(.unavailable, .nothingFound) }
    return found
  }
}
