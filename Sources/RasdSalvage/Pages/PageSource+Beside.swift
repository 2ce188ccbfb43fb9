extension PageSource {
  /// The version of page `number` that stood beside `page` when that was written.
  ///
  /// An overflow chain of a page of history is followed through these.
  package func page(_ number: UInt32, beside page: Page) -> Page? {
    guard page.standing == .history, number >= 1 else { return current(number) }
    switch page.origin {
    case .olderCopy(let file): return readOlder(file, number)
    case .database: return database(number)
    case .journal(let file, _):
      // What the transaction did not touch is today's.
      guard let record = overlay.record(of: number, inJournal: file) else { return current(number) }
      let reference = Overlay.HistoryReference.journal(file: Int32(file), record: record)
      return withDecoder { read(reference, $0) }
    case .wal(let file, let frame, _):
      guard let frame = overlay.frame(of: number, inWAL: file, with: frame - 1) else {
        return database(number)
      }
      let reference = Overlay.FrameReference(file: Int32(file), frame: frame, number: number)
      return withDecoder { read(reference, .history, $0) }
    }
  }

  /// What the database file itself holds of a page, also where a WAL frame supersedes that.
  func database(_ number: UInt32) -> Page? {
    guard number >= 1, number <= databaseCount else { return nil }
    return withDecoder { readDatabase(number, .history, $0) }
  }

  /// The path of the file that offsets of pages of this origin are into.
  package func path(of origin: PageOrigin) -> String? {
    switch origin {
    case .database: database.path
    case .wal(let file, _, _): overlay.wals[file].store.path
    case .journal(let file, _): overlay.journals[file].store.path
    case .olderCopy(let file): olderCopies[file].database.path
    }
  }
}
