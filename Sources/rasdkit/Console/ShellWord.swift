/// A word as a shell takes it.
enum ShellWord {
  /// The word itself where a shell leaves it alone, else in single quotes.
  static func quote(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "/._-+=:,@%".unicodeScalars.contains(scalar)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
