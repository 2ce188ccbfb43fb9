import Glibc

/// What can be shown where: a terminal or not, how wide, with colour or without.
struct Terminal: Sendable {
  let isTerminal: Bool
  /// Whether escape sequences may be sent: a terminal that is not dumb.
  let canRedraw: Bool
  let colour: Bool
  let width: Int

  init(descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    canRedraw = isTerminal && Self.environment("TERM") != "dumb"
    colour = canRedraw && (Self.environment("NO_COLOR") ?? "").isEmpty
    width = Self.columns(of: descriptor)
  }

  /// What a piece of text is; colour repeats it and never alone says it.
  enum Role: String { case error = "1;31", warning = "33", hint = "36", heading = "1" }

  func paint(_ text: String, _ role: Role) -> String {
    colour ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }

  private static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
