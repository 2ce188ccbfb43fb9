internal import RasdModel

/// Rows as JSON objects by column name.
enum RowJSON {
  /// Appends `{"column":value,…}` to the batch's text and returns where it lies.
  static func append(
    _ values: Range<Int>,
    names: [[UInt8]],
    to batch: inout RowBatch
  ) -> ByteRange {
    let start = batch.text.count
    batch.text.append(UInt8(ascii: "{"))
    var isFirst = true
    for (i, index) in values.enumerated() {
      let value = batch.values[index]
      if value == .absent { continue }
      if !isFirst { batch.text.append(UInt8(ascii: ",")) }
      isFirst = false
      batch.text.append(contentsOf: names[i])
      append(value, of: batch.bytes, to: &batch.text)
    }
    batch.text.append(UInt8(ascii: "}"))
    return ByteRange(start: start, count: batch.text.count - start)
  }

  /// Column names as they stand before a value: quoted, with their colon; equal ones are told
  /// apart by a number, since an object's names are unique.
  static func names(_ columns: [String]) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    return columns.map { column in
      var name = column
      var number = 2
      while !seen.insert(Array(name.utf8)).inserted {
        name = "\(column)~\(number)"
        number += 1
      }
      var out: [UInt8] = []
      JSONText.appendQuoted(name, to: &out)
      out.append(UInt8(ascii: ":"))
      return out
    }
  }

  /// Appends one value; a BLOB is `{"base64":"…"}`.
  static func append(_ value: SalvagedValue, of bytes: [UInt8], to json: inout [UInt8]) {
    switch value {
    case .null, .absent: json.append(contentsOf: "null".utf8)
    case .integer(let integer): append(integer, to: &json)
    case .real(let real): append(real, to: &json)
    case .text(let range): appendText(range.range, of: bytes, to: &json)
    case .blob(let range): appendBase64(range, of: bytes, isText: false, to: &json)
    case .brokenText(let range): appendBase64(range, of: bytes, isText: true, to: &json)
    }
  }

  static func append(_ integer: Int64, to json: inout [UInt8]) {
    if integer < 0 { json.append(UInt8(ascii: "-")) }
    let start = json.count
    var rest = integer.magnitude
    repeat {
      json.append(UInt8(truncatingIfNeeded: 0x30 + rest % 10))
      rest /= 10
    } while rest > 0
    json[start...].reverse()
  }

  /// A REAL with the fewest digits that give it back; an infinity, which JSON lacks, as
  /// `{"real":"inf"}`.
  static func append(_ real: Double, to json: inout [UInt8]) {
    json.append(contentsOf: (real.isFinite ? "\(real)" : "{\"real\":\"\(real)\"}").utf8)
  }

  /// Appends text as a JSON string.
  static func appendText(_ text: Range<Int>, of bytes: [UInt8], to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    var from = text.lowerBound
    while from < text.upperBound {
      let plain = plainEnd(bytes.span, from: from, end: text.upperBound)
      if plain > from { json.append(contentsOf: bytes[from..<plain]) }
      guard plain < text.upperBound else { break }
      JSONBText.append(bytes[plain], to: &json)
      from = plain + 1
    }
    json.append(UInt8(ascii: "\""))
  }

  /// The first byte from `from` on that a JSON string escapes.
  private static func plainEnd(_ bytes: Span<UInt8>, from: Int, end: Int) -> Int {
    var at = from
    while at < end {
      let byte = bytes[at]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      at += 1
    }
    return at
  }

  static func appendBase64(
    _ range: ByteRange,
    of bytes: [UInt8],
    isText: Bool,
    to json: inout [UInt8]
  ) {
    json.append(contentsOf: "{\"base64\":\"".utf8)
    Base64.append(bytes.span.extracting(range.range), to: &json)
    json.append(contentsOf: (isText ? "\",\"text\":true}" : "\"}").utf8)
  }
}
