extension PageSource {
  /// Reads and decodes a page of the database file; parts that are not there are `unreadable`.
  func readDatabase(_ number: UInt32, _ standing: PageStanding, _ decoder: PageDecoder) -> Page {
    let stored = StoredPages(database, first: number, count: 1, layout)
    return decode(stored, number, standing, decoder)
  }

  /// Decodes one of the pages that were read from the database file.
  func decode(
    _ stored: borrowing StoredPages,
    _ number: UInt32,
    _ standing: PageStanding,
    _ decoder: PageDecoder
  ) -> Page {
    let decoded = decoder.decode(
      stored.page(number),
      number: number,
      missing: stored.missing(number)
    )
    return Page(
      number: number,
      bytes: decoded.bytes,
      usable: usableSize,
      verdict: decoded.verdict,
      fileOffset: UInt64(clamping: layout.offset(of: number)),
      origin: .database,
      standing: standing,
      unreadable: decoded.unreadable
    )
  }

  /// Reads and decodes a WAL frame.
  func read(
    _ reference: Overlay.FrameReference,
    _ standing: PageStanding,
    _ decoder: PageDecoder
  ) -> Page? {
    let wal = overlay.wals[Int(reference.file)]
    let index = Int(reference.frame)
    let frame = wal.frames[index]
    let offset = wal.pageOffset(ofFrame: index)
    let origin = PageOrigin.wal(file: Int(reference.file), frame: index + 1, state: frame.state)
    return read(
      wal.store,
      offset,
      reference.number,
      origin,
      standing,
      decoder,
      checksumHolds: frame.link == .broken ? false : nil
    )
  }

  /// Reads and decodes a page of history; `nil` where the device no longer gives it.
  func read(_ reference: Overlay.HistoryReference, _ decoder: PageDecoder) -> Page? {
    switch reference {
    case .olderCopy(let file, let number):
      return readOlder(Int(file), number).flatMap {
        $0.bytes == current(number)?.bytes ? nil : $0
      }
    case .frame(let frame):
      return read(frame, .history, decoder)
    case .database(let number):
      if isCopy(number) { return nil }
      return readDatabase(number, .history, decoder)
    case .journal(let file, let record):
      let journal = overlay.journals[Int(file)]
      let entry = journal.records[Int(record)]
      let origin = PageOrigin.journal(file: Int(file), record: Int(record) + 1)
      return read(
        journal.store,
        entry.offset,
        entry.number,
        origin,
        .history,
        decoder,
        checksumHolds: entry.checksumHolds
      )
    }
  }

  /// A page of an older copy, its own WAL folded in if it has one.
  func readOlder(_ file: Int, _ number: UInt32) -> Page? {
    guard let page = olderCopies[file].current(number) else { return nil }
    return Page(
      number: number,
      bytes: page.bytes,
      usable: page.usable,
      verdict: page.verdict,
      fileOffset: page.fileOffset,
      origin: .olderCopy(file: file),
      standing: .history,
      unreadable: page.unreadable
    )
  }

  private func read(
    _ store: ByteStore,
    _ offset: Int64,
    _ number: UInt32,
    _ origin: PageOrigin,
    _ standing: PageStanding,
    _ decoder: PageDecoder,
    checksumHolds: Bool?
  ) -> Page? {
    let bytes = store.bytes(at: offset, count: pageSize)
    guard bytes.count == pageSize else { return nil }
    let decoded = decoder.decode(bytes.span, number: number)
    var verdict = decoded.verdict
    if verdict == .unproved, checksumHolds == false { verdict = .checksumFailed }
    return Page(
      number: number,
      bytes: decoded.bytes,
      usable: usableSize,
      verdict: verdict,
      fileOffset: UInt64(clamping: offset),
      origin: origin,
      standing: standing,
      unreadable: decoded.unreadable
    )
  }

  /// Whether a checkpoint already wrote the frame that supersedes a page of the file over it:
  /// then the page is the same, not history.
  private func isCopy(_ number: UInt32) -> Bool {
    guard let frame = overlay.newest[number] else { return false }
    let wal = overlay.wals[Int(frame.file)]
    let offset = wal.pageOffset(ofFrame: Int(frame.frame))
    return wal.store.bytes(at: offset, count: pageSize)
      == database.bytes(at: layout.offset(of: number), count: pageSize)
  }
}

/// A run of stored pages in one read, with what of them could not be read.
struct StoredPages: ~Copyable {
  private let first: UInt32
  private let pageSize: Int
  private var bytes: [UInt8]
  /// Ranges of `bytes` that the file did not give, ascending.
  private let gaps: [Range<Int>]

  init(_ store: ByteStore, first: UInt32, count: Int, _ layout: PageLayout) {
    self.first = first
    pageSize = layout.pageSize
    var bytes = [UInt8](repeating: 0, count: count * layout.pageSize)
    let offset = layout.offset(of: first)
    let head = Int(clamping: min(max(0, -offset), Int64(bytes.count)))
    var gaps = head > 0 ? [0..<head] : []
    let end = store.read(at: offset + Int64(head), into: &bytes, from: head, gaps: &gaps)
    if end < bytes.count { gaps.append(end..<bytes.count) }
    (self.bytes, self.gaps) = (bytes, gaps)
  }

  @_lifetime(borrow self)
  func page(_ number: UInt32) -> Span<UInt8> {
    let at = Int(number - first) * pageSize
    return bytes.span.extracting(at..<(at + pageSize))
  }

  /// Ranges of a page, from its start, that the file did not give.
  func missing(_ number: UInt32) -> [Range<Int>] {
    let at = Int(number - first) * pageSize
    return gaps.compactMap { gap in
      let part = gap.clamped(to: at..<(at + pageSize))
      return part.isEmpty ? nil : (part.lowerBound - at)..<(part.upperBound - at)
    }
  }
}
