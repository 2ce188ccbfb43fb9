/// What the sidecars say of each page: which WAL frame stands for it, which are in dispute, and
/// everything that is history.
struct Overlay: Sendable {
  let wals: [WALFile]
  let journals: [JournalFile]
  private let framesByPage: [SidecarIndex]
  private let recordsByPage: [SidecarIndex]
  /// The newest sound committed frame of each page, or where nothing else holds it a damaged one.
  private(set) var newest: [UInt32: FrameReference] = [:]
  /// Committed frames newer than that, which are damaged; oldest first.
  private(set) var disputed: [UInt32: [FrameReference]] = [:]
  /// Oldest first: older copies, pre-images, superseded pages of the file, then frames.
  private(set) var history: [HistoryReference] = []
  /// Size of the database in pages after the last commit, where a WAL says so.
  private(set) var committedSize: UInt32?

  struct FrameReference: Hashable, Sendable {
    let file: Int32
    let frame: Int32
    /// What the frame says, or where that is lost what its HMAC says; 0 where nothing does.
    let number: UInt32
  }

  enum HistoryReference: Sendable {
    case olderCopy(file: Int32, number: UInt32)
    case journal(file: Int32, record: Int32)
    /// A page of the file that a frame or a shrunken size supersedes.
    case database(UInt32)
    case frame(FrameReference)
  }

  /// The page number of a piece of history.
  func number(_ reference: HistoryReference) -> UInt32 {
    switch reference {
    case .olderCopy(_, let number): number
    case .journal(let file, let record): journals[Int(file)].records[Int(record)].number
    case .database(let number): number
    case .frame(let frame): frame.number
    }
  }

  private init(wals: [WALFile], journals: [JournalFile]) {
    self.wals = wals
    self.journals = journals
    framesByPage = wals.map { SidecarIndex($0.frames.lazy.map(\.number)) }
    recordsByPage = journals.map { SidecarIndex($0.records.lazy.map(\.number)) }
  }

  /// The pre-image of a page in a journal: the first one is what stood before the transaction.
  func record(of number: UInt32, inJournal file: Int) -> Int32? {
    recordsByPage[file].first(of: number).map { Int32(clamping: $0) }
  }

  /// The frame that held a page once the transaction that wrote frame `frame` was done.
  func frame(of number: UInt32, inWAL file: Int, with frame: Int) -> Int32? {
    let frames = wals[file].frames
    let state = frames[frame].state
    let end = frames[frame...].firstIndex { $0.commit != 0 || $0.state != state }
    let found = framesByPage[file].last(of: number, upTo: end ?? frames.count - 1)
    // An earlier generation's leftovers lie behind the newest one, not after it in time.
    guard let found, frames[found].state == state || state == .uncommitted else { return nil }
    return Int32(clamping: found)
  }

  /// Folds the sidecars over a file of `databaseCount` pages; `older` are the pages of its copies.
  ///
  /// `examine` says whether a frame the checksum chain does not prove is sound all the same, and
  /// the page number its HMAC gives it where that differs from what it says.
  init(
    wals: [WALFile],
    journals: [JournalFile],
    databaseCount: UInt32,
    older: [UInt32] = [],
    examine: (WALFile, Int) -> (isSound: Bool, number: UInt32)
  ) {
    // A later checkpoint sequence is the newer file; of equals the one named later.
    let wals = wals.enumerated().sorted {
      ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset)
    }.map(\.element)
    self.init(wals: wals, journals: journals)
    for (file, count) in older.enumerated() where count > 0 {
      history += (1...count).map { .olderCopy(file: Int32(clamping: file), number: $0) }
    }
    for (file, journal) in journals.enumerated() {
      history += journal.records.indices.map {
        .journal(file: Int32(clamping: file), record: Int32(clamping: $0))
      }
    }
    var frames: [FrameReference] = []
    for (file, wal) in wals.enumerated() {
      for (index, frame) in wal.frames.enumerated() {
        var number = frame.number
        var isSound = frame.link == .holds
        if !isSound { (isSound, number) = examine(wal, index) }
        let reference = FrameReference(
          file: Int32(clamping: file),
          frame: Int32(clamping: index),
          number: number
        )
        guard frame.state == .committed else {
          frames.append(reference)
          continue
        }
        if isSound {
          if let older = newest.updateValue(reference, forKey: number) { frames.append(older) }
          // A sound frame settles the dispute; what was disputed is history.
          if let settled = disputed.removeValue(forKey: number) { frames += settled }
        } else {
          disputed[number, default: []].append(reference)
        }
      }
      committedSize = wal.committedSize ?? committedSize
    }
    settleUndisputed(databaseCount)
    let shrunk = committedSize.map { min($0, databaseCount) } ?? databaseCount
    let covered = newest.keys.filter { $0 >= 1 && $0 <= shrunk }.sorted()
    history += covered.map { .database($0) }
    if shrunk < databaseCount {
      history += ((shrunk + 1)...databaseCount).map { .database($0) }
    }
    frames.sort { ($0.file, $0.frame) < ($1.file, $1.frame) }
    history += frames.map { .frame($0) }
  }

  /// A damaged frame of a page that nothing else holds is the page as it stands.
  private mutating func settleUndisputed(_ databaseCount: UInt32) {
    for (number, frames) in disputed where number > databaseCount && newest[number] == nil {
      newest[number] = frames.last
      disputed[number] = frames.count > 1 ? frames.dropLast() : nil
    }
  }
}
