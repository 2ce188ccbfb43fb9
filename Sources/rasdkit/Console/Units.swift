/// Numbers as people read them, the same in every locale.
enum Units {
  /// Bytes in powers of ten, as file managers count: `1.2 GB`.
  static func bytes(_ count: Int) -> String {
    var value = Double(count)
    for unit in ["B", "kB", "MB", "GB", "TB"] {
      if value < 999.5 || unit == "TB" {
        return unit == "B" || value >= 99.95
          ? "\(Int(value.rounded())) \(unit)" : "\(tenths(value)) \(unit)"
      }
      value /= 1000
    }
    return "\(count) B"
  }

  /// Seconds as `41 s`, `3 min 20 s` or `2 h 5 min`.
  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(whole % 60) s"
    default: return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
  }

  /// A count with thin groups of three: `1,234,567`.
  static func count(_ number: Int) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > (number < 0 ? 1 : 0) {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }

  private static func tenths(_ value: Double) -> String {
    let scaled = Int((value * 10).rounded())
    return "\(scaled / 10).\(scaled % 10)"
  }
}
