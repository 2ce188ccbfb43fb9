/// Tells whose the rows of a page are by the shape of its records.
struct Attribution {
  /// What a page's records look like.
  enum Verdict: Hashable, Sendable {
    case table(Int)
    /// Entries of an ordinary index: no rows.
    case index
    /// Records of this many columns that fit no table.
    case unknown(columns: Int)
    /// No records.
    case nothing
  }

  /// A page's say in whose a group of pages is.
  struct Ballot: Sendable {
    var verdict: Verdict
    var score: Int
  }

  /// Records looked at of each page; a page's records are one table's, so a few tell.
  static let sample = 12

  /// Tables whose records look the same.
  struct Kind: Sendable {
    let shape: RowShape
    /// The one that stands for all: whose tree has lost pages, or whose tree is not known.
    fileprivate(set) var table: Int
    fileprivate var preference: Int
    fileprivate(set) var count = 0
  }

  /// A schema of thousands of tables has a few kinds.
  let kinds: [Kind]
  private let indexShapes: [RowShape]
  private let spill: SpillRule
  private var fields: [RecordField] = []

  init(_ catalog: Catalog, spill: SpillRule) {
    self.spill = spill
    var kinds: [Kind] = []
    var place: [RowShape: Int] = [:]
    for (table, shape) in catalog.shapes.enumerated() where catalog.tables[table].origin != .shape {
      let preference = catalog.preference(table)
      let i = place[shape] ?? kinds.count
      if i == kinds.count {
        place[shape] = i
        kinds.append(Kind(shape: shape, table: table, preference: preference))
      } else if preference > kinds[i].preference {
        (kinds[i].table, kinds[i].preference) = (table, preference)
      }
      kinds[i].count += 1
    }
    self.kinds = kinds
    var seen: Set<RowShape> = []
    indexShapes = catalog.indexes.map(\.shape).filter { seen.insert($0).inserted }
  }

  /// Judges one page by the cells that its pointer array names, or that a scan finds.
  mutating func judge(_ page: Page) -> Ballot {
    guard let cells = LeafCells(page, spill: spill), cells.header.kind.hasPayload else {
      return Ballot(verdict: .nothing, score: 0)
    }
    let bytes = page.bytes.span
    let isIndex = cells.header.kind.isIndex
    var tableScores = Array(repeating: 0, count: kinds.count)
    var tableFits = Array(repeating: 0, count: kinds.count)
    var indexScore = 0
    var indexFits = 0
    var endsInInteger = 0
    var columns: [Int: Int] = [:]
    var read = 0
    for (_, cell) in cells.cells.prefix(Self.sample) {
      let payload = bytes.extracting(cell.payloadStart..<cell.payloadStart + cell.local)
      guard RecordHeader.read(payload, size: cell.payloadSize, into: &fields) == .exact,
        let last = fields.last
      else { continue }
      read += 1
      columns[fields.count, default: 0] += 1
      if SerialType.isInteger(last.type) { endsInInteger += 1 }
      for (i, kind) in kinds.enumerated() where kind.shape.isIndex == isIndex {
        guard let score = kind.shape.score(fields, payload) else { continue }
        tableFits[i] += 1
        tableScores[i] += score
      }
      guard isIndex else { continue }
      var best: Int?
      for shape in indexShapes where shape.fields.count == fields.count {
        if let score = shape.score(fields, payload) { best = max(best ?? score, score) }
      }
      if let best {
        indexFits += 1
        indexScore += best
      }
    }
    guard read > 0 else { return Ballot(verdict: .nothing, score: 0) }
    let best = (0..<tableFits.count).max {
      (tableFits[$0], tableScores[$0], kinds[$0].preference, -kinds[$0].table)
        < (tableFits[$1], tableScores[$1], kinds[$1].preference, -kinds[$1].table)
    }
    // Columns without types say nothing of a record; then it is the one table that all fit.
    let isOnlyOne = best.map { best in
      tableScores[best] == 0 && tableFits[best] == read && kinds[best].count == 1
        && tableFits.count { $0 > 0 } == 1
    }
    if let best, 2 * tableFits[best] > read, tableScores[best] > 0 || isOnlyOne == true,
      (tableFits[best], tableScores[best]) > (indexFits, indexScore)
    {
      return Ballot(verdict: .table(kinds[best].table), score: max(1, tableScores[best]))
    }
    if isIndex, indexFits > 0 || endsInInteger == read {
      return Ballot(verdict: .index, score: max(1, indexScore))
    }
    let most = columns.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    return Ballot(verdict: .unknown(columns: most), score: 1)
  }

  /// What a group of pages is, by the votes of some of them.
  static func tally(_ ballots: [Ballot]) -> Verdict {
    var sums: [Verdict: Int] = [:]
    for ballot in ballots where ballot.verdict != .nothing {
      sums[ballot.verdict, default: 0] += max(1, ballot.score)
    }
    return sums.max { ($0.value, order($0.key)) < ($1.value, order($1.key)) }?.key ?? .nothing
  }

  private static func order(_ verdict: Verdict) -> Int {
    switch verdict {
    case .table(let table): -table
    case .index: -100_000
    case .unknown(let columns): -200_000 - columns
    case .nothing: -300_000
    }
  }
}
