package import RasdModel
internal import Synchronization

/// The pages of one database, decrypted, with its WAL folded in and its history apart.
///
/// Read on demand and safe to share between tasks. Nothing is written, locked or recovered.
package final class PageSource: Sendable {
  package let layout: PageLayout
  /// Page numbers run from 1 to this; some may be absent from a cut file.
  package let pageCount: UInt32
  /// The header of the current page 1, or where that is lost of the newest copy that has one.
  package let header: DatabaseHeader?
  package let findings: [PageFinding]
  let database: ByteStore

  package var pageSize: Int { layout.pageSize }
  package var usableSize: Int { layout.usable }
  package var reserved: Int { layout.reserved }
  package var lockBytePage: UInt32 { layout.lockBytePage }
  /// How TEXT is stored, where a header says so.
  package var encoding: DatabaseEncoding? { header?.encoding }

  init(database: ByteStore, layout: PageLayout, header: DatabaseHeader?, findings: [PageFinding]) {
    self.database = database
    self.layout = layout
    self.header = header
    self.findings = findings
    pageCount = layout.count(fileSize: database.size)
  }

  /// The page a reader of the database would see; `nil` outside 1…`pageCount`.
  package func current(_ number: UInt32) -> Page? {
    guard number >= 1, number <= pageCount else { return nil }
    let offset = layout.offset(of: number)
    var bytes = database.bytes(at: offset, count: pageSize)
    let there = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: pageSize - there))
    var page = Page(
      number: number,
      bytes: bytes,
      usable: usableSize,
      verdict: .unproved,
      fileOffset: UInt64(clamping: offset),
      origin: .database,
      standing: .current
    )
    if there < pageSize { page.unreadable = [there..<pageSize] }
    return page
  }

  /// Calls `transform` for every current and disputed page on `workers` tasks.
  ///
  /// `consume` gets each result in the order of page numbers. Memory is bounded whatever the
  /// file's size.
  package func forEachPage<Result: Sendable>(
    workers: Int,
    _ transform: @escaping @Sendable (Page) -> Result,
    consume: (Result) throws(RasdError) -> Void
  ) async throws(RasdError) {
    guard pageCount >= 1 else { return }
    for number in 1...pageCount {
      if let page = current(number) { try consume(transform(page)) }
    }
  }

  /// The same for history, oldest first: journal pre-images, superseded database pages, WAL
  /// frames that are superseded, uncommitted or of an earlier generation.
  package func forEachHistoricalPage<Result: Sendable>(
    workers: Int,
    _ transform: @escaping @Sendable (Page) -> Result,
    consume: (Result) throws(RasdError) -> Void
  ) async throws(RasdError) {
  }
}
