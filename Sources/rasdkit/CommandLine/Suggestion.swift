/// What a mistyped word was probably meant to be.
enum Suggestion {
  /// The candidate with the fewest single-letter edits from `word`; nil where none is near.
  static func nearest(_ word: String, among candidates: [String]) -> String? {
    // Two edits catch a swap or a doubled letter; short words are given one.
    let reach = word.count > 4 ? 2 : 1
    return
      candidates
      // Of several that begin so, the first is meant as likely as the shortest, and is the usual one.
      .map { candidate in
        let isBeginning = word.count > 4 && candidate.hasPrefix(word)
        return (candidate, isBeginning ? 0 : distance(Array(word.utf8), Array(candidate.utf8)))
      }
      .filter { $0.1 <= reach }
      .min { $0.1 < $1.1 }?.0
  }

  /// The Levenshtein distance of two byte strings.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let replaced = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
