import RasdContainer
import RasdCrypto
import RasdModel

/// What a rescue finds that may enter an export or a store; blobs are read again when they are
/// written.
struct RescueShelf: RescueTarget {
  let shelf: SalvageShelf
  private let file: SHA256Digest

  init(_ admission: Admission, _ namespace: Namespace, _ file: SHA256Digest) {
    shelf = SalvageShelf(admission, namespace)
    self.file = file
  }

  func take(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ grade: Grade,
    _ place: RescuePlace,
    number: Int
  ) throws(RasdError) {
    let provenance = SalvageProvenance(
      entry: place.entry.text,
      line: number + 1,
      offset: place.offset,
      file
    )
    try shelf.take([UInt8](copying: line), table, grade, .live, provenance.json)
  }

  func begin(_ blob: BlobID) {}
  func append(_ bytes: Span<UInt8>) {}
  func skip(_ count: Int) {}
  func end(_ blob: BlobID) {}
}
