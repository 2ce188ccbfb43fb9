import RasdModel
import RasdSalvage

/// The page map as SVG: one square a page, told apart by its mark as well as its shade, so that
/// it reads in black and white.
struct PageMapDrawing {
  private let salvage: Salvage
  private let title: String

  init(_ salvage: Salvage, title: String) {
    self.salvage = salvage
    self.title = title
  }

  /// Past this many pages a square stands for several, and shows the worst of them.
  private static let mostSquares = 40_000
  private static let columns = 100
  private static let side = 8

  /// What a square shows; later cases are worse and win where a square stands for several pages.
  private enum Mark: Int, CaseIterable, Comparable {
    case zero, free, fixed, overflow, tree, orphan, unknown, failed, absent

    static func < (a: Mark, b: Mark) -> Bool { a.rawValue < b.rawValue }

    init(_ page: PageRecord) {
      if page.verdict.isFailed {
        self = .failed
        return
      }
      self =
        switch page.fate {
        case "tree": .tree
        case "orphan": .orphan
        case "overflow": .overflow
        case "freelistTrunk", "freelistLeaf": .free
        case "pointerMap", "lockByte": .fixed
        case "zero": .zero
        case "absent": .absent
        default: .unknown
        }
    }

    var meaning: String {
      switch self {
      case .zero: "zeros"
      case .free: "freelist"
      case .fixed: "pointer map or lock byte"
      case .overflow: "overflow of a row"
      case .tree: "in a tree"
      case .orphan: "rows that no tree reaches"
      case .unknown: "unknown"
      case .failed: "altered: its proof fails"
      case .absent: "not there"
      }
    }

    /// A square of 8 by 8 with its own pattern.
    var drawing: String {
      let box = #"<rect width="7" height="7" stroke="black" stroke-width=".5" fill=""#
      return switch self {
      case .zero: box + #"white"/>"#
      case .free: box + #"white"/><circle cx="3.5" cy="3.5" r="1" fill="black"/>"#
      case .fixed: box + ##"white"/><path d="M0 3.5H7" stroke="black"/>"##
      case .overflow: box + ##"#ddd"/>"##
      case .tree: box + ##"#999"/>"##
      case .orphan: box + ##"#999"/><path d="M0 7L7 0" stroke="white"/>"##
      case .unknown: box + #"white"/><path d="M0 7L7 0" stroke="black"/>"#
      case .failed: box + #"white"/><path d="M0 0L7 7M0 7L7 0" stroke="black"/>"#
      case .absent: box + #"white" stroke-dasharray="1 1"/>"#
      }
    }
  }

  func write(to output: BufferedOutput) throws(RasdError) {
    var pages = 0
    salvage.forEachPageRecord { (_: PageRecord) throws(Never) in pages += 1 }
    let perSquare = max(1, (pages + Self.mostSquares - 1) / Self.mostSquares)
    let squares = (pages + perSquare - 1) / perSquare
    let rows = (squares + Self.columns - 1) / Self.columns
    let legend = Mark.allCases.count
    let width = Self.columns * Self.side + 16
    let height = rows * Self.side + 40 + legend * 12
    var head = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      font-family="sans-serif" font-size="9">
      <title>\(Self.escaped(title))</title>
      <text x="8" y="14">\(pages) pages, \(perSquare == 1 ? "one" : "\(perSquare)") a square, \
      from the top left</text>
      <defs>

      """
    for mark in Mark.allCases { head += "<g id=\"m\(mark.rawValue)\">\(mark.drawing)</g>\n" }
    try output.append(Array((head + "</defs>\n").utf8))

    var square = 0
    var worst = Mark.zero
    var inSquare = 0
    func draw() throws(RasdError) {
      let (x, y) = (square % Self.columns * Self.side + 8, square / Self.columns * Self.side + 20)
      try output.append(
        Array("<use href=\"#m\(worst.rawValue)\" x=\"\(x)\" y=\"\(y)\"/>\n".utf8)
      )
      square += 1
      (worst, inSquare) = (.zero, 0)
    }
    try salvage.forEachPageRecord { (page) throws(RasdError) in
      worst = max(worst, Mark(page))
      inSquare += 1
      if inSquare == perSquare { try draw() }
    }
    if inSquare > 0 { try draw() }

    var tail = ""
    for (line, mark) in Mark.allCases.enumerated() {
      let y = rows * Self.side + 30 + line * 12
      tail += "<use href=\"#m\(mark.rawValue)\" x=\"8\" y=\"\(y)\"/>"
      tail += "<text x=\"20\" y=\"\(y + 7)\">\(mark.meaning)</text>\n"
    }
    try output.append(Array((tail + "</svg>\n").utf8))
  }

  private static func escaped(_ text: String) -> String {
    SafeText.escape(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
