internal import RasdModel

/// The steps from a file and its sidecars to a page source.
struct PageSourceOpening {
  let database: ByteStore
  let options: PageSource.Options
  private var wals: [WALFile] = []
  private var journals: [JournalFile] = []
  private var layout = PageLayout(pageSize: 4_096, reserved: 0, start: 0)
  private var codec: PageCodec?
  private var olderCopies: [PageSource] = []
  private var findings: [PageFinding] = []

  init(database: ByteStore, options: PageSource.Options) {
    self.database = database
    self.options = options
  }

  /// Sidecars are read before the keys are known: they are not encrypted but for their pages, and
  /// a copy of page 1 in them may hold the salt.
  mutating func readSidecars(_ wals: [ByteStore], _ journals: [ByteStore]) {
    let header = DatabaseHeader(database.bytes(at: 0, count: DatabaseHeader.size))
    let known = options.cipher.pageSize ?? options.pageSize ?? header?.pageSize
    let sizes = known.map { [$0] } ?? options.cipher.pageSizes
    self.wals = wals.compactMap { WALFile.open($0, pageSizes: sizes) }
    self.journals = journals.compactMap { JournalFile.open($0, pageSizes: sizes) }
  }

  /// An older copy is read by itself: it has its own header, its own damage, perhaps its own key.
  mutating func readOlderCopies(_ copies: [ByteStore]) {
    for copy in copies {
      guard let source = try? PageSource.open(database: copy, options: options),
        source.pageSize == layout.pageSize, source.usableSize == layout.usable
      else {
        note(.olderCopyLeftOut, path(copy))
        continue
      }
      olderCopies.append(source)
      note(.olderCopyUsed, path(copy))
    }
  }

  // MARK: Layout and keys

  mutating func findLayout() throws(RasdError) {
    let plain = PlainTrial(store: database, pageSize: options.pageSize).find()
    // A plain header before pages that make no sense is one that SQLCipher left clear.
    if let plain, plain.sound > 0 { return take(plain) }
    let refusal = options.keys.isEmpty ? failure() : findCipher()
    guard let refusal else { return }
    if let plain, !looksEncrypted { return take(plain) }
    if let wal = wals.first(where: Self.isPlain) {
      layout = PageLayout(pageSize: wal.pageSize, reserved: 0, start: 0)
      note(.headerLost, ["pageSize": .number(Int64(wal.pageSize))])
      return
    }
    throw refusal
  }

  private mutating func take(_ plain: PlainTrial.Found) {
    layout = plain.layout
    if !options.keys.isEmpty { note(.keyNotNeeded) }
    if !plain.hasHeader {
      note(
        .headerLost,
        ["pageSize": .number(Int64(layout.pageSize)), "reserved": .number(Int64(layout.reserved))]
      )
    }
  }

  /// Whether the pages of a WAL are plain ones.
  private static func isPlain(_ wal: WALFile) -> Bool {
    wal.frames.indices.prefix(16).contains { index in
      let bytes = wal.store.bytes(at: wal.pageOffset(ofFrame: index), count: wal.pageSize)
      let header = wal.frames[index].number == 1 ? 100 : 0
      let tree = PageStructure.btree(bytes.span, page: 0, header: header, usable: wal.pageSize)
      return tree?.isStrong == true
    }
  }

  /// Finds out how the file is encrypted, or why it can't be opened.
  private mutating func findCipher() -> RasdError? {
    let own = database.bytes(at: 0, count: CipherFormat.saltSize)
    let copies = saltsOfCopies()
    var trial = CipherTrial(
      store: database,
      wals: wals,
      journals: journals,
      keys: options.keys,
      settings: options.cipher,
      salts: options.salts + copies
    )
    guard let found = trial.find() else {
      let isKnown = !options.salts.isEmpty || !copies.isEmpty
      if needsSalt, !isKnown, trial.lacksSalt, looksEncrypted {
        return RasdError(.keyUnavailable, .saltLost, tried(trial))
      }
      if needsSalt, !isKnown, !hasWholePages, looksEncrypted {
        return RasdError(.keyUnavailable, .saltMisplaced, tried(trial))
      }
      return failure(tried(trial))
    }
    layout = found.layout
    let keys = trial.pageKeys(found)
    let count = max(found.layout.count(fileSize: database.size), highestSidecarPage)
    codec = PageCodec(format: found.format, keys: keys, pageCount: count)
    note(.cipherFound, describe(found, trial))
    if keys.count > 1 { note(.severalKeys, ["keys": .number(Int64(keys.count))]) }
    if found.salt == nil || found.authentication == nil, found.format.hmac != nil {
      note(.saltMissing)
    } else if let salt = found.salt, salt != own, copies.contains(salt) {
      note(.saltTakenFromCopy)
    }
    return nil
  }

  private var needsSalt: Bool {
    options.keys.allSatisfy { if case .passphrase = $0 { true } else { false } }
  }

  /// Whether the file's length is one that a file has to which nothing happened.
  private var hasWholePages: Bool { database.size % Int64(PageLayout.pageSizes[0]) == 0 }

  private func tried(_ trial: CipherTrial) -> [String: RasdError.Detail] {
    [
      "combinations": .number(trial.tried.combinations),
      "derivations": .number(trial.tried.derivations),
    ]
  }

  private func describe(
    _ found: CipherTrial.Found,
    _ trial: CipherTrial
  ) -> [String: RasdError.Detail] {
    var details = tried(trial)
    details["pageSize"] = .number(Int64(found.format.pageSize))
    details["reserved"] = .number(Int64(found.format.reserved))
    details["hmac"] = .text(found.format.hmac.map { "\($0)" } ?? "off")
    details["pageNumbers"] = .text(found.format.pageNumberOrder.rawValue)
    if case .passphrase = options.keys[found.key] {
      details["kdf"] = .text("\(found.kdf.function)")
      details["kdfIterations"] = .number(Int64(found.kdf.iterations))
    }
    if found.format.plaintextHeader > 0 {
      details["plaintextHeader"] = .number(Int64(found.format.plaintextHeader))
    }
    details["key"] = .number(Int64(found.key))
    details["proved"] = .flag(found.isProved)
    return details
  }

  /// The first 16 bytes of copies of page 1 in WALs and journals.
  private func saltsOfCopies() -> [[UInt8]] {
    var salts: [[UInt8]] = []
    for wal in wals {
      for (index, frame) in wal.frames.enumerated() where frame.number == 1 {
        salts.append(
          wal.store.bytes(at: wal.pageOffset(ofFrame: index), count: CipherFormat.saltSize)
        )
      }
    }
    for journal in journals {
      for record in journal.records where record.number == 1 {
        salts.append(journal.store.bytes(at: record.offset, count: CipherFormat.saltSize))
      }
    }
    var seen: Set<[UInt8]> = []
    return salts.filter { CipherTrial.isSalt($0) && seen.insert($0).inserted }
      .prefix(Self.saltLimit).map { $0 }
  }

  /// A database has one salt; each more costs a key derivation.
  private static let saltLimit = 4

  private var highestSidecarPage: UInt32 {
    wals.flatMap(\.frames).filter { $0.link == .holds }.map(\.number).max() ?? 0
  }

  /// What to say of bytes in which no page was found.
  private func failure(_ details: [String: RasdError.Detail] = [:]) -> RasdError {
    if !looksEncrypted { return RasdError(.corrupt, .notADatabase, details) }
    let reason: Reason = options.keys.isEmpty ? .noKeyGiven : .wrongKey
    return RasdError(.keyUnavailable, reason, details)
  }

  /// A KiB of ciphertext has nearly every byte value; text, zeros and stubs have few.
  private var looksEncrypted: Bool {
    [0, database.size / 2, database.size * 3 / 4].contains {
      Set(database.bytes(at: $0, count: 1_024)).count > 150
    }
  }

  mutating func note(_ kind: PageFinding.Kind, _ details: [String: RasdError.Detail] = [:]) {
    findings.append(PageFinding(kind, details))
  }

  // MARK: The source

  /// Folds the sidecars in and reads the header.
  consuming func source() -> PageSource {
    noteShape()
    let count = layout.count(fileSize: database.size)
    let sidecars = SidecarCheck(database: database, layout: layout, codec: codec)
    var ownWALs: [WALFile] = []
    for wal in wals {
      if sidecars.isOwn(wal) { ownWALs.append(wal) } else { note(.walForeign, path(wal.store)) }
    }
    var ownJournals: [JournalFile] = []
    for journal in journals {
      if sidecars.isOwn(journal) {
        ownJournals.append(journal)
      } else {
        note(.journalForeign, path(journal.store))
      }
    }
    noteSidecars(ownWALs, ownJournals)
    let overlay = Overlay(
      wals: ownWALs,
      journals: ownJournals,
      databaseCount: count,
      older: olderCopies.map(\.pageCount)
    ) {
      sidecars.examine($0, $1)
    }
    let bare = PageSource(
      database: database,
      layout: layout,
      codec: codec,
      overlay: overlay,
      olderCopies: olderCopies,
      header: nil,
      findings: findings
    )
    return PageSource(
      database: database,
      layout: layout,
      codec: codec,
      overlay: overlay,
      olderCopies: olderCopies,
      header: bare.newestHeader(),
      findings: findings
    )
  }

  private func path(_ store: ByteStore) -> [String: RasdError.Detail] {
    store.path.map { ["path": .text($0)] } ?? [:]
  }

  private mutating func noteShape() {
    if layout.start != 0 { note(.fileShifted, ["bytes": .number(layout.start)]) }
    let over = (database.size - layout.start) % Int64(layout.pageSize)
    if over != 0 { note(.fileTruncated, ["bytesOfLastPage": .number(over)]) }
  }

  private mutating func noteSidecars(_ wals: [WALFile], _ journals: [JournalFile]) {
    for wal in wals {
      var details = path(wal.store)
      details["frames"] = .number(Int64(wal.frames.count))
      if wal.headerLost { note(.walHeaderLost, details) }
      let broken = wal.frames.indices.filter { wal.frames[$0].link == .broken }
      if !broken.isEmpty {
        details["damaged"] = .number(Int64(broken.count))
        details["first"] = .number(Int64(broken[0] + 1))
        note(.walFrameDamaged, details)
      }
      let uncommitted = wal.frames.count { $0.state == .uncommitted }
      if uncommitted > 0 {
        details["uncommitted"] = .number(Int64(uncommitted))
        note(.walUncommitted, details)
      }
    }
    for journal in journals {
      var details = path(journal.store)
      details["records"] = .number(Int64(journal.records.count))
      if journal.headerLost { note(.journalHeaderLost, details) }
      if journal.isHot { note(.journalHot, details) }
    }
  }
}

extension PageSource {
  /// The header of the current page 1, else of its newest copy that has one.
  func newestHeader() -> DatabaseHeader? {
    if let page = current(1), let header = DatabaseHeader(page.bytes),
      header.pageSize == pageSize
    {
      return header
    }
    let copies = overlay.history.reversed().lazy.compactMap { reference -> DatabaseHeader? in
      guard self.overlay.number(reference) == 1 else { return nil }
      let page = self.withDecoder { self.read(reference, $0) }
      return page.flatMap { DatabaseHeader($0.bytes) }
    }
    return copies.first { $0.pageSize == self.pageSize }
  }
}
