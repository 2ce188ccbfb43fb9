import RasdModel

/// What an entry's name says it is (the format, §Entries).
///
/// Nothing outside the grammar has one, so no name can lead out of a folder.
package enum EntryName: Hashable, Sendable {
  case manifest
  case meta
  /// A part of a table's rows, or of the inventory; the first is 0.
  case rows(table: String, part: Int)
  /// A part of a blob's bytes; the first is 0.
  case blob(id: BlobID, part: Int)
  case end
  case manifestCopy
  /// The directory `attachments/`, which is allowed and holds nothing.
  case folder

  /// The stem of `blobs.jsonl`, which is written like a table and is none.
  package static let inventory = "blobs"

  private static let attachments = Array("attachments/".utf8)
  private static let rowsSuffix = Array(".jsonl".utf8)
  /// Part numbers have six digits, and more only past 999999.
  private static let partDigits = 6
  /// No more than the entries an export may have could need.
  private static let mostPartDigits = 7
  private static let longestTable = 64

  /// Nil where the name breaks the grammar.
  package init?(_ name: [UInt8]) {
    switch String(decoding: name, as: UTF8.self) {
    case "manifest.json": self = .manifest
    case "manifest.copy.json": self = .manifestCopy
    case "meta.json": self = .meta
    case "end.json": self = .end
    case "attachments/": self = .folder
    default:
      guard let (stem, part) = Self.splitPart(name[...]) else { return nil }
      if stem.starts(with: Self.attachments) {
        let escaped = String(decoding: stem.dropFirst(Self.attachments.count), as: UTF8.self)
        guard let id = EntryEscape.unescape(escaped).flatMap(BlobID.init) else { return nil }
        self = .blob(id: id, part: part)
      } else {
        guard let table = Self.table(stem) else { return nil }
        self = .rows(table: table, part: part)
      }
    }
  }

  /// The name's bytes, as they stand in the archive and in the seal's context.
  package var bytes: [UInt8] {
    switch self {
    case .manifest: Array("manifest.json".utf8)
    case .meta: Array("meta.json".utf8)
    case .rows(let table, let part): Array(table.utf8) + Self.rowsSuffix + Self.suffix(part)
    case .blob(let id, let part):
      Self.attachments + Array(EntryEscape.escape(id.text).utf8) + Self.suffix(part)
    case .end: Array("end.json".utf8)
    case .manifestCopy: Array("manifest.copy.json".utf8)
    case .folder: Self.attachments
    }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The part's number in its stream, nil for what has no parts.
  package var part: Int? {
    switch self {
    case .rows(_, let part), .blob(_, let part): part
    default: nil
    }
  }

  /// Whether the seal binds the entry to the manifest's bytes.
  var isBoundToManifest: Bool { self == .meta || self == .end }

  /// The name with another part number; what has no parts stays as it is.
  func with(part: Int) -> EntryName {
    switch self {
    case .rows(let table, _): .rows(table: table, part: part)
    case .blob(let id, _): .blob(id: id, part: part)
    default: self
    }
  }

  private static func suffix(_ part: Int) -> [UInt8] {
    guard part > 0 else { return [] }
    let digits = Array(String(part).utf8)
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, partDigits - digits.count))
    return [UInt8(ascii: ".")] + zeros + digits
  }

  /// Splits `stem.000012`; nil where the digits are not in the one form allowed.
  private static func splitPart(_ name: ArraySlice<UInt8>) -> (stem: ArraySlice<UInt8>, Int)? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot + 1 < name.endIndex,
      name[(dot + 1)...].allSatisfy(\.isASCIIDigit)
    else { return (name, 0) }
    let digits = name[(dot + 1)...]
    guard partDigits...mostPartDigits ~= digits.count,
      digits.count == partDigits || digits.first != UInt8(ascii: "0"),
      let part = Int(String(decoding: digits, as: UTF8.self)), part > 0
    else { return nil }
    return (name[..<dot], part)
  }

  private static func table(_ stem: ArraySlice<UInt8>) -> String? {
    guard stem.count > rowsSuffix.count, stem.suffix(rowsSuffix.count).elementsEqual(rowsSuffix)
    else { return nil }
    let name = stem.dropLast(rowsSuffix.count)
    guard name.count <= longestTable, let first = name.first, first.isASCIILetter,
      name.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") })
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

/// An attachment's id, compared by its bytes: two spellings that Unicode takes for one text are
/// two ids.
package struct BlobID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]
  private static let longest = 128

  /// Nil for an empty id and one of more than 128 bytes.
  package init?(_ text: String) {
    bytes = Array(text.utf8)
    guard 1...Self.longest ~= bytes.count else { return nil }
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
  package var description: String { text }

  package static func < (a: BlobID, b: BlobID) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  var isASCIILetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
  }
}
