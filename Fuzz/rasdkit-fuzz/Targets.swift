import RasdCrypto
import RasdModel

/// One for each parser of foreign bytes.
///
/// A target only has to return: a trap, a sanitizer's report, two seconds or half a gigabyte are
/// what libFuzzer looks for. Where there is a rule that every input keeps, it is checked too.
let targets: [String: @Sendable (Span<UInt8>) -> Void] = [
  "json": json,
  "row": row,
  "key-file": keyFile,
  "key-slots": keySlots,
  "instant": instant,
]

/// What parses has a canonical form, which parses to the same value and is its own canonical form.
@Sendable private func json(_ bytes: Span<UInt8>) {
  guard let value = try? JSONValue.parse(bytes) else { return }
  guard let canonical = try? value.canonical() else { return }
  guard let again = try? JSONValue.parse(canonical), let twice = try? again.canonical() else {
    preconditionFailure("a canonical form that does not parse")
  }
  precondition(twice == canonical, "the canonical form is not stable")
  precondition((try? JSONValue.parse(value.text)) == value, "written text reads as another value")
}

/// The first byte chooses the table.
@Sendable private func row(_ bytes: Span<UInt8>) {
  guard bytes.count > 0, let namespace = Namespace("example.u_1") else { return }
  var tables = TableName.rasd
  tables += TableName("x_more").map { [$0] } ?? []
  let table = tables[Int(bytes[0]) % tables.count]
  var reader = RowReader { SHA256.digest($0) }
  let line = bytes.extracting(droppingFirst: 1)
  guard let row = try? reader.read(line: line, table: table, namespace: namespace) else { return }
  precondition(row.text.count == line.count, "a row that is not its line")
}

@Sendable private func keyFile(_ bytes: Span<UInt8>) {
  _ = KeyNature(of: bytes)
  _ = try? RawKey(bytes)
  _ = try? Identity(pem: bytes)
  _ = try? Recipient(pem: bytes)
}

@Sendable private func keySlots(_ bytes: Span<UInt8>) {
  guard let value = try? JSONValue.parse(bytes) else { return }
  _ = try? KeySlot.read(value)
}

@Sendable private func instant(_ bytes: Span<UInt8>) {
  let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
  guard let instant = Instant(text) else { return }
  _ = instant.text
}
