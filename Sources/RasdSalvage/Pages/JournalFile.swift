/// The index of one rollback journal: every pre-image in it, also where its header is gone.
///
/// SQLite zeroes the 28 bytes of a finished journal's header in PERSIST mode and leaves the rest
/// (SQLite file format, §3).
struct JournalFile: Sendable {
  let store: ByteStore
  let pageSize: Int
  let headerLost: Bool
  /// Whether SQLite would roll this journal back: its header stands and it holds records.
  let isHot: Bool
  let records: [Record]

  struct Record: Sendable {
    let number: UInt32
    /// File offset of the page's bytes.
    let offset: Int64
    /// Whether the sum over every 200th byte is what the record says; `nil` where the header's
    /// nonce, from which it starts, can't be told.
    let checksumHolds: Bool?
  }

  static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  static let headerSize = 28
  /// More records than a header counts, and than anybody needs as history.
  static let recordLimit = 4_000_000

  /// Reads a journal's index; `nil` where no record can be made out.
  ///
  /// Where the header is lost, `pageSizes` are tried first.
  static func open(_ store: ByteStore, pageSizes: [Int]) -> JournalFile? {
    let head = store.bytes(at: 0, count: headerSize)
    if let header = JournalHeader(head.span) {
      let records = segments(store, header)
      guard !records.isEmpty else { return nil }
      return JournalFile(
        store: store,
        pageSize: header.pageSize,
        headerLost: false,
        isHot: true,
        records: records
      )
    }
    let all = pageSizes + PageLayout.pageSizes.filter { !pageSizes.contains($0) }
    var best: (records: [Record], size: Int) = ([], 0)
    for size in all {
      // A header fills a sector; both sizes are met, and others are rare.
      for sector in [512, 4_096, 1_024, 2_048, 8_192] {
        let found = headless(store, size, sector)
        let proved = found.count { $0.checksumHolds == true }
        if proved > best.records.count { best = (found, size) }
      }
    }
    if best.records.isEmpty, let size = pageSizes.first {
      // A single record proves nothing of itself; take it where the database's page size fits.
      best = (headless(store, size, 512), size)
    }
    guard !best.records.isEmpty else { return nil }
    return JournalFile(
      store: store,
      pageSize: best.size,
      headerLost: true,
      isHot: false,
      records: best.records
    )
  }

  /// The records of every segment: a journal that was synced in between has more headers.
  private static func segments(_ store: ByteStore, _ first: JournalHeader) -> [Record] {
    var records: [Record] = []
    var header = first
    var at: Int64 = 0
    while records.count < recordLimit {
      let step = Int64(header.pageSize) + 8
      var record = at + Int64(header.sectorSize)
      var count = 0
      while records.count < recordLimit, record + step <= store.size,
        header.recordCount.map({ count < $0 }) ?? true
      {
        guard let next = read(store, record, header.pageSize, nonce: header.nonce) else { break }
        records.append(next)
        record += step
        count += 1
      }
      let sector = Int64(header.sectorSize)
      at = (record + sector - 1) / sector * sector
      guard count > 0,
        let next = JournalHeader(store.bytes(at: at, count: headerSize).span)
      else { break }
      header = JournalHeader(next, layoutOf: first)
    }
    return records
  }

  /// Records after a zeroed header, whose nonce is what the first record's own sum leaves over.
  private static func headless(_ store: ByteStore, _ pageSize: Int, _ sector: Int) -> [Record] {
    let step = Int64(pageSize) + 8
    var at = Int64(sector)
    guard let first = nonce(store, at, pageSize) else { return [] }
    var nonce = first
    var records: [Record] = []
    while records.count < recordLimit, at + step <= store.size {
      guard let record = read(store, at, pageSize, nonce: nonce) else { break }
      if record.checksumHolds == false {
        // Another segment behind a header, or the remains of an older, longer transaction.
        guard let other = JournalFile.nonce(store, at, pageSize),
          at + step < store.size,
          let after = read(store, at + step, pageSize, nonce: other), after.checksumHolds == true
        else { break }
        nonce = other
        continue
      }
      // The first record gave the nonce, so it holds by definition: it proves nothing.
      records.append(
        at == Int64(sector)
          ? Record(number: record.number, offset: record.offset, checksumHolds: nil) : record
      )
      at += step
    }
    return records
  }

  private static func nonce(_ store: ByteStore, _ at: Int64, _ pageSize: Int) -> UInt32? {
    let bytes = store.bytes(at: at, count: pageSize + 8)
    guard bytes.count == pageSize + 8, bytes.span.u32(0) > 0 else { return nil }
    return bytes.span.u32(4 + pageSize) &- sum(bytes.span.extracting(4..<(4 + pageSize)))
  }

  private static func read(
    _ store: ByteStore,
    _ at: Int64,
    _ pageSize: Int,
    nonce: UInt32
  ) -> Record? {
    let bytes = store.bytes(at: at, count: pageSize + 8)
    guard bytes.count == pageSize + 8, bytes.span.u32(0) > 0 else { return nil }
    let own = nonce &+ sum(bytes.span.extracting(4..<(4 + pageSize)))
    return Record(
      number: bytes.span.u32(0),
      offset: at + 4,
      checksumHolds: own == bytes.span.u32(4 + pageSize)
    )
  }

  /// Every 200th byte from the page's end (`pager_cksum`).
  private static func sum(_ page: Span<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    var at = page.count - 200
    while at > 0 {
      sum &+= UInt32(page[at])
      at -= 200
    }
    return sum
  }
}

/// The 28 bytes in front of a journal or of a later segment of one.
struct JournalHeader {
  /// `nil` where the header was not filled in: records run to the end of the file.
  let recordCount: Int?
  let nonce: UInt32
  let sectorSize: Int
  let pageSize: Int

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= JournalFile.headerSize else { return nil }
    for (i, byte) in JournalFile.magic.enumerated() where bytes[i] != byte { return nil }
    let count = bytes.u32(8)
    recordCount = count == .max || count == 0 ? nil : Int(count)
    nonce = bytes.u32(12)
    sectorSize = Int(bytes.u32(20))
    pageSize = Int(bytes.u32(24))
    guard PageLayout.isPageSize(pageSize), sectorSize >= 32, sectorSize <= 65_536,
      sectorSize & (sectorSize - 1) == 0
    else { return nil }
  }

  /// A later segment's count and nonce with the first one's layout, as SQLite reads it.
  init(_ segment: JournalHeader, layoutOf first: JournalHeader) {
    recordCount = segment.recordCount
    nonce = segment.nonce
    sectorSize = first.sectorSize
    pageSize = first.pageSize
  }
}
