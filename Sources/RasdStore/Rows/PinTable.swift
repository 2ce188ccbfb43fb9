internal import RasdMerge
internal import RasdModel
internal import SQLCipherKit

/// The decisions that `keep-local` and `keep-import` left behind, one a submission.
final class PinTable {
  private let select: Statement
  private let replace: Statement

  init(_ connection: Connection) throws(RasdError) {
    select = try connection.statement("SELECT rev, digest, until FROM pins WHERE key = ?1")
    replace = try connection.statement("INSERT OR REPLACE INTO pins VALUES (?1, ?2, ?3, ?4)")
  }

  func pin(of key: RowKey) throws(RasdError) -> Pin? {
    try select.bind(1, text: key.text)
    defer { select.reset() }
    guard try select.step(), let digest = select.digest(1) else { return nil }
    return Pin(clientRev: select.integer(0), digest: digest, until: select.integer(2))
  }

  func set(_ pin: Pin, for key: RowKey) throws(RasdError) {
    try replace.bind(1, text: key.text)
    try replace.bind(2, pin.clientRev)
    try replace.bind(3, pin.digest)
    try replace.bind(4, pin.until)
    try replace.run()
  }
}
