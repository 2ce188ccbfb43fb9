internal import Synchronization

/// The pages of one database, decrypted, with its WAL folded in and its history apart.
///
/// Read on demand and safe to share between tasks. Nothing is written, locked or recovered.
package final class PageSource: Sendable {
  package let layout: PageLayout
  /// Page numbers run from 1 to this; in a cut file some of them are absent.
  package let pageCount: UInt32
  /// The header of the current page 1, or where that is lost of the newest copy that has one.
  package let header: DatabaseHeader?
  /// How the file is encrypted; `nil` for a plain one.
  package let cipher: CipherFormat?
  package let findings: [PageFinding]

  let database: ByteStore
  /// Pages that the database file itself has room for.
  let databaseCount: UInt32
  let codec: PageCodec?
  let overlay: Overlay
  /// Copies that were kept before: their pages are history where they differ from today's.
  let olderCopies: [PageSource]
  private let cache: Mutex<PageCache>
  private let decoders = Mutex<[PageDecoder]>([])

  package var pageSize: Int { layout.pageSize }
  package var usableSize: Int { layout.usable }
  package var reserved: Int { layout.reserved }
  package var lockBytePage: UInt32 { layout.lockBytePage }
  /// How TEXT is stored, where a header says so.
  package var encoding: DatabaseEncoding? { header?.encoding }

  init(
    database: ByteStore,
    layout: PageLayout,
    codec: PageCodec?,
    overlay: Overlay,
    olderCopies: [PageSource],
    header: DatabaseHeader?,
    findings: [PageFinding]
  ) {
    self.database = database
    self.layout = layout
    self.codec = codec
    self.overlay = overlay
    self.olderCopies = olderCopies
    self.findings = findings
    cipher = codec?.format
    databaseCount = layout.count(fileSize: database.size)
    pageCount = Self.pageCount(databaseCount, overlay)
    cache = Mutex(PageCache(pageSize: layout.pageSize))
    self.header = header
  }

  /// The page a reader of the database would see; `nil` where there is none.
  package func current(_ number: UInt32) -> Page? {
    guard number >= 1, number <= pageCount else { return nil }
    if let page = cache.withLock({ $0[number] }) { return page }
    let page = withDecoder { decoder -> Page? in
      if let frame = overlay.newest[number] { return read(frame, .current, decoder) }
      return isInDatabase(number) ? readDatabase(number, .current, decoder) : nil
    }
    if let page { cache.withLock { $0[number] = page } }
    return page
  }

  /// Newer committed versions of a page whose frames are damaged, oldest first.
  package func disputed(_ number: UInt32) -> [Page] {
    guard let frames = overlay.disputed[number] else { return [] }
    return withDecoder { decoder in frames.compactMap { read($0, .disputed, decoder) } }
  }

  /// Whether the database file's own version of a page is the current one, if no frame is.
  func isInDatabase(_ number: UInt32) -> Bool {
    number >= 1 && number <= min(databaseCount, overlay.committedSize ?? .max)
  }

  /// A decoder is costly to make and not to be shared: they are kept and lent.
  func withDecoder<T>(_ body: (PageDecoder) -> T) -> T {
    let decoder = decoders.withLock { $0.popLast() } ?? PageDecoder(layout, codec)
    defer { decoders.withLock { $0.append(decoder) } }
    return body(decoder)
  }

  /// The highest page number: a frame may lie past the end of the file, within reason.
  private static func pageCount(_ inFile: UInt32, _ overlay: Overlay) -> UInt32 {
    let held = UInt64(inFile) + UInt64(overlay.newest.count) + UInt64(overlay.disputed.count)
    let limit = UInt32(clamping: held * sparseness + sparsenessFloor)
    let sound = overlay.newest.keys.filter { $0 <= limit }.max() ?? 0
    let disputed = overlay.disputed.keys.filter { $0 <= limit }.max() ?? 0
    return max(inFile, sound, disputed)
  }

  /// A cut file may have lost most of what its WAL's page numbers span; more than 64 times what is
  /// there is an invention, and whoever sizes a table by the page count would pay for it.
  private static let sparseness: UInt64 = 64
  private static let sparsenessFloor: UInt64 = 65_536
}

/// The last pages asked for, one for each remainder of the page number.
struct PageCache {
  private var slots: [Page?]

  /// 4 MiB of pages, and enough of large ones for an overflow chain beside a b-tree's path.
  init(pageSize: Int) {
    slots = Array(repeating: nil, count: max(64, (4 << 20) / pageSize))
  }

  subscript(number: UInt32) -> Page? {
    get {
      let page = slots[Int(number) % slots.count]
      return page?.number == number ? page : nil
    }
    set { slots[Int(number) % slots.count] = newValue }
  }
}
