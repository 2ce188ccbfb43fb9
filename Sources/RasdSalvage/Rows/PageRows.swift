internal import RasdModel

/// Reads the rows of one page that its cell pointer array names.
struct PageRows {
  let plan: SalvagePlan
  var decoder: RowDecoder
  var natives: NativeRows
  private(set) var batch = RowBatch()
  /// Cells that hold no record at all.
  private(set) var undecodable = 0

  init(_ plan: SalvagePlan) {
    self.plan = plan
    decoder = RowDecoder(encoding: plan.catalog.encoding)
    natives = NativeRows(plan.options)
  }

  /// Takes every cell of the page as a row of `table`.
  mutating func add(_ page: Page, _ cells: LeafCells, table: Int, kind: RowKind, notes: RowNotesSet)
  {
    batch.origin = page.origin
    var lastRowid = Int64.min
    for (index, cell) in cells.cells {
      var notes = notes
      if !cells.header.kind.isIndex {
        if cell.rowid <= lastRowid, index > 0 { notes.insert(.outOfOrder) }
        lastRowid = cell.rowid
      }
      add(page, cell, index: index, table: table, kind: kind, notes: notes)
    }
  }

  /// Takes one cell as a row; false where it holds no record.
  @discardableResult
  mutating func add(
    _ page: Page,
    _ cell: Cell,
    index: Int,
    table: Int,
    kind: RowKind,
    notes: RowNotesSet,
    links: Int? = nil
  ) -> Bool {
    let start = batch.bytes.count
    let chain =
      cell.spills ? links ?? plan.map.chainLength(page: page.number, first: cell.overflow) : 0
    let result = plan.payloads.append(cell, of: page, links: chain, to: &batch.bytes)
    let payload = ByteRange(start: start, count: batch.bytes.count - start)
    let description = plan.catalog.tables[table]
    let hasRowid = !description.schema.isWithoutRowid
    let firstValue = batch.values.count
    guard
      let decoded = decoder.append(
        payload,
        size: cell.payloadSize,
        rowid: hasRowid ? cell.rowid : nil,
        of: description,
        to: &batch
      )
    else {
      batch.bytes.removeLast(batch.bytes.count - start)
      undecodable += 1
      return false
    }
    var notes = notes.union(decoded)
    if result.isBroken { notes.insert(.chainBroken) }
    finish(
      page,
      offset: cell.start,
      index: index,
      table: table,
      kind: kind,
      notes: notes,
      verdict: result.verdict,
      rowid: hasRowid ? cell.rowid : nil,
      firstValue: firstValue
    )
    return true
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
    let isWhole = !notes.contains(.chainBroken) && !notes.contains(.recordInexact)
    var proof = NativeRows.Proof.none
    let json: ByteRange
    if let mapping = description.mapping {
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
    let grade = RowGrade.of(verdict: verdict, notes: notes, proof: proof)
    let keyHash = key(values, description, table, rowid)
    batch.rows.append(
      SalvagedRow(
        table: table,
        kind: kind,
        grade: grade,
        page: page.number,
        cell: index,
        fileOffset: page.fileOffset + UInt64(offset),
        verdict: verdict,
        rowid: rowid,
        notes: notes,
        keyHash: keyHash,
        json: json,
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
}
