import RasdCrypto
import RasdModel

enum ModelTargets {
  /// What parses has a canonical form, which parses to the same value and is its own canonical
  /// form.
  @Sendable static func json(_ bytes: Span<UInt8>) {
    guard let value = try? JSONValue.parse(bytes) else { return }
    guard let canonical = try? value.canonical() else { return }
    guard let again = try? JSONValue.parse(canonical), let twice = try? again.canonical() else {
      preconditionFailure("a canonical form that does not parse")
    }
    precondition(twice == canonical, "the canonical form is not stable")
    precondition((try? JSONValue.parse(value.text)) == value, "written text is another value")
  }

  /// The first byte chooses the table.
  @Sendable static func row(_ bytes: Span<UInt8>) {
    guard bytes.count > 0, let namespace = Namespace("example.u_1") else { return }
    let tables = TableName.rasd + (TableName("x_more").map { [$0] } ?? [])
    let table = tables[Int(bytes[0]) % tables.count]
    var reader = RowReader { SHA256.digest($0) }
    let line = bytes.extracting(droppingFirst: 1)
    guard let row = try? reader.read(line: line, table: table, namespace: namespace) else {
      return
    }
    precondition(row.text.count == line.count, "a row that is not its line")
  }

  @Sendable static func instant(_ bytes: Span<UInt8>) {
    let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
    guard let instant = Instant(text) else { return }
    _ = instant.text
  }

  @Sendable static func keyFile(_ bytes: Span<UInt8>) {
    _ = KeyNature(of: bytes)
    _ = try? RawKey(bytes)
    _ = try? Identity(pem: bytes)
    _ = try? Recipient(pem: bytes)
  }

  @Sendable static func keySlots(_ bytes: Span<UInt8>) {
    guard let value = try? JSONValue.parse(bytes) else { return }
    _ = try? KeySlot.read(value)
  }
}
