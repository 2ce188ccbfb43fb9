/// A cell found in bytes that no live cell takes.
struct CarvedCell: Hashable, Sendable {
  /// Its bytes in the page.
  var range: Range<Int>
  /// Bytes of the whole payload.
  var payloadSize: Int
  /// `nil` where the rowid was overwritten, or where there is none.
  var rowid: Int64?
  /// The record header as SQLite wrote it, or as it was rebuilt.
  var header: [UInt8]
  /// Where the values begin in the page, and how many of their bytes are there.
  var body: Range<Int>
  /// First overflow page, or 0.
  var overflow: UInt32
  /// Index of the table, or -1 where its shape is no table's.
  var table: Int
  /// Whether its first bytes were overwritten.
  var isRebuilt: Bool
  var columns: Int
}
