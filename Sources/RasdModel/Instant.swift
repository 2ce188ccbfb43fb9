/// A moment, read from an RFC 3339 timestamp with any offset and any fraction.
///
/// Rows keep their timestamps as written; this is only how they compare (the merge rules,
/// §Order of observations). Fractions count to 18 digits, more than any clock has.
package struct Instant: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int64
  /// What comes on top, in units of 10⁻¹⁸ s.
  package let attoseconds: UInt64

  package init(seconds: Int64, attoseconds: UInt64 = 0) {
    self.seconds = seconds
    self.attoseconds = attoseconds
  }

  package init(milliseconds: Int64) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let borrow: Int64 = rest < 0 ? 1 : 0
    self.seconds = seconds - borrow
    attoseconds = UInt64(rest + borrow * 1000) * 1_000_000_000_000_000
  }

  package static func < (a: Instant, b: Instant) -> Bool {
    (a.seconds, a.attoseconds) < (b.seconds, b.attoseconds)
  }

  /// Whether this is later than `other` by more than `seconds`.
  package func isLater(than other: Instant, byMoreThan seconds: Int64) -> Bool {
    Instant(seconds: other.seconds + seconds, attoseconds: other.attoseconds) < self
  }

  /// RFC 3339 in UTC with milliseconds, as reports and manifests are written; the year is
  /// held between 0000 and 9999.
  package var text: String {
    let first: Int64 = -62_167_219_200  // 0000-01-01
    let last: Int64 = 253_402_300_799  // 9999-12-31T23:59:59
    let clamped = min(max(seconds, first), last)
    let sinceYearZero = clamped - first
    let (year, month, day) = Self.civil(fromDays: sinceYearZero / 86_400 - 719_528)
    let second = sinceYearZero % 86_400
    func pad(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T"
      + "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))."
      + pad(Int64(attoseconds / 1_000_000_000_000_000), 3) + "Z"
  }

  /// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    // Years begin in March here, so that the leap day is the last of its year.
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}
