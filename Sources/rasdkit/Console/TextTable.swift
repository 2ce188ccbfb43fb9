import RasdModel

/// Columns of text for a terminal or a log: the first on the left, numbers on the right.
struct TextTable {
  private var rows: [[String]] = []
  /// Rows after which a line is drawn.
  private var rules: Set<Int> = []

  init(heading: [String]) {
    rows.append(heading)
    rule()
  }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  mutating func rule() { rules.insert(rows.count) }

  /// The table's lines; the first column is shortened where the table would be too wide.
  func text(_ terminal: Terminal) -> String {
    let columns = rows.map(\.count).max() ?? 0
    var widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    if terminal.isTerminal, columns > 0 {
      let rest = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
      // A name of 12 characters can still be told from others.
      widths[0] = min(widths[0], max(12, terminal.width - rest))
    }
    var lines: [String] = []
    for (index, row) in rows.enumerated() {
      if rules.contains(index) {
        lines.append(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
      }
      let cells = row.enumerated().map { column, cell in
        column == 0 ? Self.left(cell, widths[0]) : Self.right(cell, widths[column])
      }
      let line = cells.joined(separator: "  ")
      lines.append(index == 0 ? terminal.paint(line, .heading) : line)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func left(_ text: String, _ width: Int) -> String {
    if text.count > width { return "…" + text.suffix(width - 1) }
    return text + String(repeating: " ", count: width - text.count)
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
