internal import RasdModel

/// What is known once the pages have been surveyed; the same for every worker.
struct SalvagePlan: Sendable {
  let source: PageSource
  let map: PageMap
  let catalog: Catalog
  let options: Salvage.Options
  let candidates: Candidates
  let payloads: PayloadReader
  /// What submissions call their attachments.
  var names: [UInt64: String] = [:]
  /// For each table, how much its shape says.
  let strengths: [Int]
  /// For each table, its columns' names as they stand in JSON.
  let labels: [[[UInt8]]]

  init(
    source: PageSource,
    map: PageMap,
    catalog: Catalog,
    options: Salvage.Options,
    candidates: Candidates
  ) {
    self.candidates = candidates
    self.source = source
    self.map = map
    self.catalog = catalog
    self.options = options
    payloads = PayloadReader(source)
    strengths = catalog.shapes.map(\.strength)
    labels = catalog.tables.map { RowJSON.names($0.columns) }
  }

  /// The table whose rows a page holds; `nil` for indexes, free pages and the rest.
  func table(of page: UInt32) -> Int? {
    if case .table(let table) = catalog.trees[map.owner(page)].content { table } else { nil }
  }
}
