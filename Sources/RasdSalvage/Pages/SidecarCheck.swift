/// Tells a database's own WAL and journal from another's, and a sound frame from a damaged one
/// where the chain of checksums does not say.
struct SidecarCheck {
  private let database: ByteStore
  private let layout: PageLayout
  private let codec: PageCodec?
  private let decoder: PageDecoder

  init(database: ByteStore, layout: PageLayout, codec: PageCodec?) {
    self.database = database
    self.layout = layout
    self.codec = codec
    decoder = PageDecoder(layout, codec)
  }

  /// Pages of a sidecar that are looked at.
  private static let samples = 48

  func isOwn(_ wal: WALFile) -> Bool {
    guard wal.pageSize == layout.pageSize else { return false }
    let sound = wal.frames.indices.filter { wal.frames[$0].link != .broken }
    let step = max(1, sound.count / Self.samples)
    let picked = stride(from: 0, to: sound.count, by: step).map { sound[$0] }
    let written = Set(wal.frames.filter { $0.state == .committed }.map(\.number)).count
    let isRewrite = wal.committedSize.map { written * 10 >= Int($0) * 9 } ?? false
    return isOwn(
      picked.map { (wal.frames[$0].number, wal.pageOffset(ofFrame: $0)) },
      in: wal.store,
      isRewrite: isRewrite
    )
  }

  func isOwn(_ journal: JournalFile) -> Bool {
    guard journal.pageSize == layout.pageSize else { return false }
    let step = max(1, journal.records.count / Self.samples)
    let picked = stride(from: 0, to: journal.records.count, by: step).map { journal.records[$0] }
    return isOwn(picked.map { ($0.number, $0.offset) }, in: journal.store, isRewrite: false)
  }

  private func isOwn(
    _ pages: [(number: UInt32, offset: Int64)],
    in store: ByteStore,
    isRewrite: Bool
  )
    -> Bool
  {
    var failed = 0
    var compared: [(number: UInt32, isAlike: Bool)] = []
    for page in pages where page.number >= 1 {
      let stored = store.bytes(at: page.offset, count: layout.pageSize)
      guard stored.count == layout.pageSize else { continue }
      let decoded = decoder.decode(stored.span, number: page.number)
      switch decoded.verdict {
      case .intact: return true
      case .hmacFailed, .checksumFailed: failed += 1
      case .unproved:
        if let isAlike = kinship(decoded.bytes, page.number) {
          compared.append((page.number, isAlike))
        }
      }
    }
    if failed > 0 { return false }
    // Two databases of one application have the same schema on page 1: it tells only alone. A WAL
    // that rewrites every page (VACUUM) resembles the database nowhere else.
    let others = compared.filter { $0.number != 1 }
    let telling = others.count >= Self.tellingPages && !isRewrite ? others : compared
    // Without anything to compare there is nothing against it.
    return telling.isEmpty || telling.count { $0.isAlike } * 4 >= telling.count
  }

  /// Fewer pages behind page 1 than this may all have been reused for something else.
  private static let tellingPages = 3

  /// Whether a page shares content with the database's own page of the same number; `nil` where
  /// that can't be told.
  private func kinship(_ bytes: [UInt8], _ number: UInt32) -> Bool? {
    let offset = layout.offset(of: number)
    let stored = database.bytes(at: offset, count: layout.pageSize)
    guard offset >= 0, stored.count == layout.pageSize, number != layout.lockBytePage else {
      return nil
    }
    let own = decoder.decode(stored.span, number: number).bytes
    let header = number == 1 ? 100 : 0
    if number == 1, let a = DatabaseHeader(bytes)?.encoding, let b = DatabaseHeader(own)?.encoding,
      a != b
    {
      return false
    }
    func tree(_ page: [UInt8]) -> PageStructure.BTree? {
      PageStructure.btree(page.span, page: 0, header: header, usable: layout.usable)
    }
    guard let ownTree = tree(own), ownTree.cells > 1 else { return nil }
    guard let otherTree = tree(bytes) else {
      // Reused as an overflow page, or decrypted with a key that is not its own.
      return codec == nil ? nil : false
    }
    guard otherTree.cells > 1 else { return nil }
    let known = Self.shingles(own, from: header + 8, step: 1)
    let asked = Self.shingles(bytes, from: header + 8, step: 8)
    guard !asked.isEmpty, !known.isEmpty else { return nil }
    let shared = asked.count { known.contains($0) }
    return shared * Self.kinShare >= asked.count
  }

  /// One part in this many of a page survives from one version of it to a later one.
  ///
  /// Measured on device databases: two thirds and more of a page, against a thirtieth of another device's.
  private static let kinShare = 8
  /// Long enough to span values that differ from one device to the next.
  private static let shingle = 64

  /// Hashes of runs of bytes that are not all alike.
  private static func shingles(_ bytes: [UInt8], from: Int, step: Int) -> Set<Int> {
    var out: Set<Int> = []
    for at in stride(from: from, through: bytes.count - shingle, by: step) {
      let run = bytes[at..<(at + shingle)]
      guard let first = run.first, run.contains(where: { $0 != first }) else { continue }
      out.insert(Array(run).hashValue)
    }
    return out
  }

  // MARK: Frames

  /// Numbers tried for a frame whose own is lost.
  private static let numberLimit: UInt32 = 20_000

  /// Whether a frame that the chain does not prove is sound, and its page number.
  ///
  /// An HMAC decides where there is one, and finds a lost number. Without one a frame is believed
  /// unless its checksum is wrong.
  func examine(_ wal: WALFile, _ index: Int) -> (isSound: Bool, number: UInt32) {
    let frame = wal.frames[index]
    let stored = wal.store.bytes(at: wal.pageOffset(ofFrame: index), count: wal.pageSize)
    guard stored.count == layout.pageSize else { return (false, frame.number) }
    if decoder.proves(stored.span, number: frame.number) { return (true, frame.number) }
    guard let codec, codec.format.hmac != nil else {
      return (frame.link == .unknown && frame.number > 0, frame.number)
    }
    let isPlausible = frame.number >= 1 && frame.number <= codec.pageCount
    guard !isPlausible, codec.pageCount >= 1 else { return (false, frame.number) }
    for number in 1...min(codec.pageCount, Self.numberLimit)
    where decoder.proves(stored.span, number: number) {
      return (true, number)
    }
    return (false, 0)
  }
}
