/// What one page of a database turned out to be; every page has exactly one fate.
package struct PageRecord: Hashable, Sendable {
  package let number: UInt32
  /// What its bytes are: `tableLeaf`, `indexInterior`, `zero` and so on.
  package let shape: String
  /// What it is to the database: `tree`, `orphan`, `overflow`, `freelistLeaf`, `unknown` and so on.
  package let fate: String
  package let verdict: PageVerdict

  /// Whether something is wrong with it, or nothing is known of it.
  package var isNews: Bool { verdict.isFailed || fate == "unknown" || fate == "absent" }
}

extension Salvage {
  /// Every page in the order of its number, once `survey` is done.
  package func forEachPageRecord<E: Error>(_ body: (PageRecord) throws(E) -> Void) throws(E) {
    guard map.count > 0 else { return }
    for page in 1...map.count {
      try body(
        PageRecord(
          number: page,
          shape: map.shape(page).word,
          fate: map.fate(page).word,
          verdict: map.verdict(page)
        )
      )
    }
  }
}

// The cases' names, made once: a large database has a million pages.

extension PageShape {
  private static let words = allCases.map { "\($0)" }
  fileprivate var word: String { Self.words[Int(rawValue)] }
}

extension PageMap.Fate {
  private static let words = allCases.map { "\($0)" }
  fileprivate var word: String { Self.words[Int(rawValue)] }
}
