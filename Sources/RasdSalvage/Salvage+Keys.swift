internal import RasdModel

extension Salvage {
  /// Leaves of each table that are asked what its keys look like.
  private static let askedLeaves = 8
  /// Fewer keys than this may be alike by chance.
  private static let fewestKeys = 16
  /// One key in this many may be a damaged one.
  private static let doubt = 16
  /// What ids look like that applications make.
  private static let ids: [ValuePattern] = [.uuid, .ulid, .sha256, .taggedSHA256]

  /// Learns from a table's live rows what its key looks like, where neither its schema nor a
  /// profile says.
  ///
  /// An id unlike all others was never there: its bytes were altered, or a carver took it from
  /// the midst of something else.
  mutating func learnKeys() {
    for (tree, pages) in leaves(.tableLeaf) {
      guard case .table(let table) = catalog.trees[tree].content else { continue }
      let schema = catalog.tables[table].schema
      guard schema.rowidColumn == nil, !schema.isWithoutRowid else { continue }
      for column in schema.primaryKey where schema.columns[column].pattern == nil {
        guard let place = schema.stored.firstIndex(of: column),
          let pattern = commonPattern(of: place, in: pages)
        else { continue }
        catalog.setPattern(pattern, ofColumn: column, of: table)
      }
    }
  }

  /// Learns which types the first two fields of a `WITHOUT ROWID` table's records have.
  ///
  /// These are what a freeblock's header lies over.
  mutating func learnTypes() {
    for (tree, pages) in leaves(.indexLeaf) {
      guard case .table(let table) = catalog.trees[tree].content else { continue }
      var seen = [SeenTypes(), SeenTypes()]
      var rows = 0
      forEachRecord(of: pages) { fields, _ in
        rows += 1
        for (i, field) in fields.prefix(2).enumerated() { seen[i].add(field.type) }
      }
      guard rows >= Self.fewestKeys else { continue }
      for (i, types) in seen.enumerated() where i < catalog.shapes[table].fields.count {
        catalog.setSeen(types, at: i, of: table)
      }
    }
  }

  /// Some leaves of each tree, by the tree.
  private func leaves(_ shape: PageShape) -> [Int: [UInt32]] {
    var leaves: [Int: [UInt32]] = [:]
    for page in map.owners.indices
    where map.owners[page] > 1 && map.fates[page] == .tree && map.shapes[page] == shape {
      let owner = Int(map.owners[page])
      if leaves[owner, default: []].count < Self.askedLeaves {
        leaves[owner, default: []].append(UInt32(page))
      }
    }
    return leaves
  }

  /// Every record of some leaves.
  private func forEachRecord(
    of pages: [UInt32],
    _ body: (_ fields: [RecordField], _ payload: Span<UInt8>) -> Void
  ) {
    var fields: [RecordField] = []
    for number in pages {
      guard let page = source.current(number), let cells = LeafCells(page, spill: spill) else {
        continue
      }
      for (_, cell) in cells.cells {
        let payload = page.bytes.span.extracting(
          cell.payloadStart..<cell.payloadStart + cell.local
        )
        guard RecordHeader.read(payload, size: cell.payloadSize, into: &fields) == .exact else {
          continue
        }
        body(fields, payload)
      }
    }
  }

  /// What nearly all texts at one place of these pages' records look like.
  private func commonPattern(of place: Int, in pages: [UInt32]) -> ValuePattern? {
    var texts = 0
    var counts = Array(repeating: 0, count: Self.ids.count)
    forEachRecord(of: pages) { fields, payload in
      guard place < fields.count, fields[place].end <= payload.count,
        SerialType.isText(fields[place].type)
      else { return }
      texts += 1
      let stored = payload.extracting(fields[place].offset..<fields[place].end)
      let text =
        catalog.encoding == .utf8
        ? [UInt8](copying: stored) : RowShape.narrowed(stored, catalog.encoding) ?? []
      for (i, pattern) in Self.ids.enumerated() where pattern.matches(text.span) {
        counts[i] += 1
      }
    }
    guard texts >= Self.fewestKeys,
      let best = counts.indices.max(by: { counts[$0] < counts[$1] }),
      counts[best] * Self.doubt >= texts * (Self.doubt - 1)
    else { return nil }
    return Self.ids[best]
  }
}
