extension Instant {
  /// The moment of `text` by the grammar of RFC 3339, §5.6; nil where it does not fit.
  ///
  /// An offset is required, so a local time without one is no moment. Hour 24 is none either
  /// (RFC 3339 ends at 23); second 60 is one only where a leap second can stand, the last of
  /// a month in UTC, and is then the first of the next.
  package init?(_ text: some StringProtocol) {
    self.init(bytes: Array(text.utf8).span)
  }

  /// The same for the UTF-8 of a text.
  package init?(bytes: Span<UInt8>) {
    var reader = Reader(bytes)
    guard let moment = reader.moment() else { return nil }
    self = moment
  }

  private struct Reader: ~Escapable {
    private let bytes: Span<UInt8>
    private var at = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    @_lifetime(self: copy self)
    mutating func moment() -> Instant? {
      guard let year = digits(4), skip("-"), let month = digits(2), skip("-"),
        let day = digits(2), (1...12).contains(month),
        day >= 1, day <= Reader.length(ofMonth: month, year: year),
        skip("T") || skip("t"),
        let hour = digits(2), hour <= 23, skip(":"),
        let minute = digits(2), minute <= 59, skip(":"),
        let second = digits(2), second <= 60,
        let fraction = fraction(), let offset = offset(), at == bytes.count
      else { return nil }
      let days = Instant.days(year: year, month: month, day: day)
      let local = days * 86_400 + hour * 3600 + minute * 60 + second
      let utc = local - offset
      if second == 60 {
        let nextDay = Instant.civil(fromDays: utc >= 0 ? utc / 86_400 : (utc - 86_399) / 86_400)
        guard utc % 86_400 == 0, nextDay.day == 1 else { return nil }
      }
      return Instant(seconds: utc, attoseconds: fraction)
    }

    @_lifetime(self: copy self)
    private mutating func digits(_ count: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + Int64(digit)
      }
      return value
    }

    @_lifetime(self: copy self)
    private mutating func digit() -> UInt8? {
      guard at < bytes.count, (0x30...0x39).contains(bytes[at]) else { return nil }
      at += 1
      return bytes[at - 1] - 0x30
    }

    @_lifetime(self: copy self)
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard at < bytes.count, UInt32(bytes[at]) == character.value else { return false }
      at += 1
      return true
    }

    @_lifetime(self: copy self)
    private mutating func fraction() -> UInt64? {
      guard skip(".") else { return 0 }
      var value: UInt64 = 0
      var count = 0
      while let digit = digit() {
        if count < 18 { value = value * 10 + UInt64(digit) }
        count += 1
      }
      guard count > 0 else { return nil }
      for _ in 0..<max(0, 18 - count) { value *= 10 }
      return value
    }

    @_lifetime(self: copy self)
    private mutating func offset() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let isWest = skip("-")
      guard isWest || skip("+"), let hours = digits(2), hours <= 23, skip(":"),
        let minutes = digits(2), minutes <= 59
      else { return nil }
      let seconds = hours * 3600 + minutes * 60
      return isWest ? -seconds : seconds
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
      switch month {
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }
  }
}
