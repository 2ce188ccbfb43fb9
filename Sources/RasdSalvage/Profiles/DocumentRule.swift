/// How the documents of an application are put together: the bytes of each lie in chunks, rows
/// of another table.
struct DocumentRule: Hashable, Sendable {
  let documents: String
  let id: String
  /// Column of the whole length, and of the whole's SHA-256, where there are such.
  let bytes: String?
  let sha256: String?
  let chunks: String
  let chunkDocument: String
  let chunkIndex: String
  let chunkData: String
  /// Bytes of every chunk but the last.
  let chunkBytes: Int64
  /// Number of the first chunk.
  let firstIndex: Int64
}
