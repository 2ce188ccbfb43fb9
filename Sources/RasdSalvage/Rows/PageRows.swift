internal import RasdModel

/// Turns the cells of one page into rows.
struct PageRows {
  let plan: SalvagePlan
  private var decoder: RowDecoder
  private var natives: NativeRows
  private(set) var batch = RowBatch()
  /// Where chunks of documents lie, where the rows are read for that.
  private(set) var chunks: [Chunk] = []
  /// For each row of `batch`, by what it is told from copies; live rows have none.
  private(set) var hashes: [RowHashes] = []
  /// Hashes of live rows that candidates may be copies of.
  private(set) var copied: [UInt64] = []
  /// Whether their page fails its proof, so that a row of another page is no mere copy.
  private(set) var isDoubtful = false
  /// Keys of candidates, or of live rows that candidates have too.
  private(set) var keys: [LivingKey] = []
  /// Cells that hold no record at all.
  private(set) var undecodable = 0
  /// Carved records that are none on a closer look.
  private(set) var implausible = 0

  init(_ plan: SalvagePlan) {
    self.plan = plan
    decoder = RowDecoder(encoding: plan.catalog.encoding)
    natives = NativeRows(plan.options, names: plan.names)
  }

  // MARK: Live rows

  /// Takes every cell of the page as a row of `table`.
  mutating func add(
    _ page: Page,
    _ cells: LeafCells,
    table: Int,
    kind: RowKind,
    notes: RowNotesSet
  ) {
    batch.origin = page.origin
    batch.reserve(
      rows: cells.cells.count,
      of: plan.catalog.tables[table].columns.count,
      page.usable
    )
    isDoubtful = page.verdict.isFailed
    var last = Int64.min
    for (index, cell) in cells.cells {
      var notes = notes
      if !cells.header.kind.isIndex {
        if cell.rowid <= last, index > 0 { notes.insert(.outOfOrder) }
        last = cell.rowid
      }
      add(page, cell, index: index, table: table, kind: kind, notes: notes)
    }
  }

  /// Takes whole cells that the pointer array of a damaged page does not name, or all of a page
  /// whose header is gone.
  mutating func addHidden(
    _ page: Page,
    _ cells: LeafCells?,
    table: Int,
    kind: RowKind,
    notes: RowNotesSet
  ) {
    let schema = plan.catalog.tables[table].schema
    let tree: BTreeKind = schema.isWithoutRowid ? .indexLeaf : .tableLeaf
    var carver = CellCarver(
      plan,
      kind: tree,
      own: table,
      others: [],
      rebuildable: 0,
      takesUnknown: false
    )
    var found: [CarvedCell] = []
    let start = page.number == 1 ? 100 : 0
    for region in cells?.regions() ?? [LeafCells.Region(range: start..<page.usable, kind: .gap)] {
      carver.carve(page.bytes.span, region.range, into: &found)
    }
    batch.origin = page.origin
    isDoubtful = page.verdict.isFailed
    for carved in found {
      guard
        let cell = Cell(
          page.bytes.span,
          at: carved.range.lowerBound,
          kind: tree,
          spill: plan.payloads.spill,
          limit: page.usable
        )
      else { continue }
      add(page, cell, index: -1, table: table, kind: kind, notes: notes.union(.foundByScan))
    }
  }

  private mutating func add(
    _ page: Page,
    _ cell: Cell,
    index: Int,
    table: Int,
    kind: RowKind,
    notes: RowNotesSet
  ) {
    let start = batch.bytes.count
    let links =
      cell.spills ? plan.map.chainLength(page: page.number, first: cell.overflow) : 0
    let result = plan.payloads.append(cell, of: page, links: links, to: &batch.bytes)
    let hashes = copies(batch.bytes.span.extracting(start..<batch.bytes.count), cell)
    var notes = notes
    if result.isBroken { notes.insert(.chainBroken) }
    let isRow = decode(
      page,
      start: start,
      size: cell.payloadSize,
      rowid: cell.rowid,
      offset: cell.start,
      index: index,
      table: table,
      kind: kind,
      notes: notes,
      verdict: result.verdict
    )
    if !isRow || !isDisowned { copied += hashes }
  }

  /// Whether the last row is of a page that fails its proof, and unknown to its table's index: it says
  /// nothing against a better copy, which may be a deleted row's.
  private var isDisowned: Bool {
    isDoubtful && batch.rows.last?.notes.contains(.indexDisagrees) == true
  }

  /// By what a candidate would be known as a copy of this live row; empty where none is.
  private func copies(_ payload: Span<UInt8>, _ cell: Cell) -> [UInt64] {
    guard !plan.candidates.isEmpty else { return [] }
    let quick = RowHashes.quick(payload, local: cell.local, size: cell.payloadSize)
    guard plan.candidates.quick.contains(quick) else { return [] }
    guard payload.count == cell.payloadSize else { return [RowHashes.partial(quick)] }
    return [
      RowHashes.partial(quick),
      RowHashes.whole(payload, rowid: nil),
      RowHashes.whole(payload, rowid: cell.rowid),
    ]
  }

  // MARK: Candidates

  /// Takes what a carver found; with `hashesOnly` no more than its hashes.
  mutating func add(_ page: Page, _ find: PageCarver.Find, hashesOnly: Bool) {
    batch.origin = page.origin
    let start = batch.bytes.count
    var notes: RowNotesSet = []
    var verdict = page.verdict
    let size: Int
    let rowid: Int64?
    let offset: Int
    let local: Int
    var index = -1
    var table = find.table
    var chain = CandidateChain(plan, page)
    switch find.place {
    case .carved(let cell):
      if cell.isRebuilt { notes.insert(.headerRebuilt) }
      batch.bytes.append(contentsOf: cell.header)
      batch.bytes.append(contentsOf: page.bytes[cell.body])
      (size, rowid, offset) = (cell.payloadSize, cell.rowid, cell.range.lowerBound)
      local = cell.header.count + cell.body.count
      if table < 0 {
        table = plan.catalog.knownUnowned(columns: cell.columns, isIndex: false) ?? 0
      }
      chain.follow(from: cell.overflow, start, size, &batch.bytes, &notes, &verdict)
    case .cell(let place, let cell, let isIndex):
      index = place
      batch.bytes.append(contentsOf: page.bytes[cell.payloadStart..<cell.payloadStart + cell.local])
      (size, rowid, offset) = (cell.payloadSize, isIndex ? nil : cell.rowid, cell.start)
      local = cell.local
      if find.kind == .orphan {
        let links = plan.map.chainLength(page: page.number, first: cell.overflow)
        chain.links = links
      }
      chain.follow(from: cell.overflow, start, size, &batch.bytes, &notes, &verdict)
    }
    // Where the rowid is no column, rows that were deleted may have been numbered anew since;
    // those of an orphan are alive, and many may hold the same.
    let isNumbered =
      find.kind == .orphan || plan.catalog.tables[max(0, table)].schema.rowidColumn != nil
    let hashes = RowHashes.ofCandidate(
      batch.bytes.span.extracting(start..<batch.bytes.count),
      local: local,
      size: size,
      rowid: isNumbered ? rowid : nil
    )
    if hashesOnly {
      self.hashes.append(hashes)
      noteKey(start, size, table)
      batch.bytes.removeSubrange(start...)
      return
    }
    if find.kind == .orphan, index < 0 { notes.insert(.foundByScan) }
    if plan.map.fate(page.number) != .tree { notes.insert(.byShape) }
    let isTaken = decode(
      page,
      start: start,
      size: size,
      rowid: rowid,
      offset: offset,
      index: index,
      table: table,
      kind: find.kind,
      notes: notes,
      verdict: verdict
    )
    guard isTaken, let row = batch.rows.last else { return }
    // Free bytes may have been used and freed again since: what a column must hold tells.
    if row.notes.contains(.notJSON), !row.notes.contains(.chainBroken) {
      batch.rows.removeLast()
      implausible += 1
    } else {
      self.hashes.append(hashes)
    }
  }

  private mutating func noteKey(_ start: Int, _ size: Int, _ table: Int) {
    guard !plan.keyFields[table].isEmpty else { return }
    let bytes = batch.bytes
    let key = decoder.key(
      of: table,
      at: plan.keyFields[table],
      bytes.span.extracting(start..<bytes.count),
      size: size
    )
    if let key { keys.append(LivingKey(key: key, isGood: false)) }
  }

  // MARK: Any row

  private mutating func decode(
    _ page: Page,
    start: Int,
    size: Int,
    rowid: Int64?,
    offset: Int,
    index: Int,
    table: Int,
    kind: RowKind,
    notes: RowNotesSet,
    verdict: PageVerdict
  ) -> Bool {
    let description = plan.catalog.tables[table]
    let rowid = description.schema.isWithoutRowid ? nil : rowid
    let payload = ByteRange(start: start, count: batch.bytes.count - start)
    let firstValue = batch.values.count
    guard
      let decoded = decoder.append(payload, size: size, rowid: rowid, of: description, to: &batch)
    else {
      batch.bytes.removeSubrange(start...)
      undecodable += 1
      return false
    }
    var kind = kind
    var notes = notes.union(decoded)
    let (key, isInDomain) = judge(payload, table, verdict)
    if !isInDomain { notes.insert(.outOfDomain) }
    if let key { plan.testify(key, table, &kind, &notes) }
    finish(
      page,
      offset: offset,
      index: index,
      table: table,
      kind: kind,
      notes: notes,
      verdict: verdict,
      rowid: rowid,
      firstValue: firstValue
    )
    guard let row = batch.rows.last else { return true }
    if let key, kind.mayEnter, !isDisowned, plan.candidates.keys.contains(key) {
      let isGood = row.grade >= .plausible || row.notes.contains(.documentIncomplete)
      keys.append(LivingKey(key: key, isGood: isGood))
    }
    if plan.purpose == .chunks,
      let chunk = chunk(page, row, cell: offset, payload: payload.count, decoder.fields)
    {
      chunks.append(chunk)
    }
    return true
  }

  /// The key of the record that was just decoded, and whether its table can hold it.
  ///
  /// A page that proves itself holds what was written, and so does a key that its index knows.
  private func judge(
    _ payload: ByteRange,
    _ table: Int,
    _ verdict: PageVerdict
  ) -> (key: UInt64?, isInDomain: Bool) {
    let record = batch.bytes.span.extracting(payload.range)
    let fields = plan.keyFields[table]
    let key = fields.isEmpty ? nil : decoder.key(of: table, at: fields, record)
    if verdict == .intact { return (key, true) }
    let isKnown = key.map { plan.witness.knows($0) } ?? false
    let shape = plan.catalog.shapes[table]
    return (key, decoder.isInDomain(shape, key: isKnown ? [] : fields, record))
  }

  /// Grades and writes out the row whose values were just decoded.
  private mutating func finish(
    _ page: Page,
    offset: Int,
    index: Int,
    table: Int,
    kind: RowKind,
    notes: RowNotesSet,
    verdict: PageVerdict,
    rowid: Int64?,
    firstValue: Int
  ) {
    let description = plan.catalog.tables[table]
    let values = firstValue..<batch.values.count
    var notes = notes
    let isWhole = notes.isDisjoint(with: [.chainBroken, .recordInexact])
    var proof = NativeRows.Proof.none
    var json = ByteRange(start: 0, count: 0)
    var document: Int?
    var best = Grade.verified
    if plan.purpose == .chunks {
      // Nobody reads the row.
    } else if let mapping = description.mapping {
      (json, proof) = natives.append(
        values,
        description,
        mapping,
        isWhole: isWhole,
        notes: &notes,
        to: &batch
      )
    } else {
      json = RowJSON.append(values, names: plan.labels[table], to: &batch)
    }
    if batch.values[values].contains(.absent) { notes.insert(.valuesAbsent) }
    if kind.mayEnter, let found = self.document(values, of: table) {
      document = batch.documents.count
      batch.documents.append(found.document)
      if !found.document.holes.isEmpty { notes.insert(.documentIncomplete) }
      if found.proof == .none { best = found.document.grade } else { proof = found.proof }
    }
    batch.rows.append(
      SalvagedRow(
        table: table,
        kind: kind,
        grade: min(best, RowGrade.of(verdict: verdict, notes: notes, proof: proof)),
        page: page.number,
        cell: index,
        fileOffset: page.fileOffset + UInt64(offset),
        verdict: verdict,
        rowid: rowid,
        notes: notes,
        keyHash: key(values, description, table, rowid),
        json: json,
        document: document,
        firstValue: firstValue,
        valueCount: values.count
      )
    )
  }

  private func key(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ index: Int,
    _ rowid: Int64?
  ) -> UInt64 {
    var hash = QuickHash(seed: UInt64(index))
    if table.key.isEmpty {
      hash.mix(UInt64(bitPattern: rowid ?? 0))
      return hash.value
    }
    for place in table.key {
      switch batch.values[values.lowerBound + place] {
      case .null, .absent: hash.mix(0)
      case .integer(let integer): hash.mix(UInt64(bitPattern: integer))
      case .real(let real): hash.mix(real.bitPattern)
      case .text(let range), .blob(let range), .brokenText(let range):
        hash.mix(batch.bytes.span.extracting(range.range))
      }
    }
    return hash.value
  }

  /// What the submissions among the rows call their attachments.
  var attachmentNames: [NativeRows.AttachmentName] { natives.found }

  /// The rows as entries of `sqlite_schema`.
  var schemaEntries: [SchemaEntry] {
    batch.rows.compactMap {
      SchemaEntry(batch.values(of: $0), in: batch.bytes, isDoubtful: $0.verdict.isFailed)
    }
  }

  /// Keeps the rows, and their hashes, that `isKept` says.
  mutating func filter(_ isKept: (RowHashes) -> Bool) {
    let kept = hashes.indices.filter { isKept(hashes[$0]) }
    batch.rows = kept.map { batch.rows[$0] }
    hashes = kept.map { hashes[$0] }
  }
}
