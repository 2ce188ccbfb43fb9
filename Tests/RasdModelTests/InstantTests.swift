import Foundation
import RasdModel
import TestSupport
import Testing

@Suite struct InstantTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("1970-01-01T00:00:00.5Z", 0, 500_000_000_000_000_000),
      ("1969-12-31T23:59:59.25Z", -1, 250_000_000_000_000_000),
      ("2026-09-03T14:05:11.000Z", 1_788_444_311, 0),
      ("2026-09-03T17:05:11+03:00", 1_788_444_311, 0),
      ("2026-09-03T08:35:11-05:30", 1_788_444_311, 0),
      ("2026-09-03t14:05:11z", 1_788_444_311, 0), ("2026-09-03T14:05:11-00:00", 1_788_444_311, 0),
      ("2000-02-29T00:00:00Z", 951_782_400, 0), ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
      ("9999-12-31T23:59:59.999999999999999999Z", 253_402_300_799, 999_999_999_999_999_999),
      ("2016-12-31T23:59:60Z", 1_483_228_800, 0), ("2017-01-01T02:59:60+03:00", 1_483_228_800, 0),
      ("2026-09-03T14:05:11.1234567890123456789999Z", 1_788_444_311, 123_456_789_012_345_678),
    ] as [(String, Int64, UInt64)]
  ) func readable(text: String, seconds: Int64, atto: UInt64) {
    #expect(Instant(text) == Instant(seconds: seconds, attoseconds: atto))
  }

  /// RFC 3339 and nothing else: a moment is never guessed.
  @Test(arguments: [
    "", "yesterday", "2026-09-03", "2026-09-03T14:05:11", "2026-09-03 14:05:11Z",
    "2026-09-03T14:05Z",
    "2026-09-03T24:00:00Z", "2026-09-03T23:60:00Z", "2026-09-03T23:59:61Z", "2026-09-03T12:00:60Z",
    "2026-12-30T23:59:60Z", "2026-13-40T99:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-09-00T00:00:00Z", "2026-09-03T14:05:11.Z",
    "2026-09-03T14:05:11,5Z", "2026-09-03T14:05:11+3:00", "2026-09-03T14:05:11+0300",
    "2026-09-03T14:05:11+24:00",
    "2026-09-03T14:05:11+03:60", "2026-09-03T14:05:11Z ", " 2026-09-03T14:05:11Z",
    "+2026-09-03T14:05:11Z",
    "26-09-03T14:05:11Z", "2026-9-3T14:05:11Z", "２０26-09-03T14:05:11Z", "2026-09-03T14:05:11ZZ",
    "1788444311",
  ]) func unreadable(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test func orderIsOfMomentsNotOfText() throws {
    let earlier = try #require(Instant("2026-09-01T10:00:00+03:00"))
    let later = try #require(Instant("2026-09-01T08:00:00Z"))
    #expect(earlier < later)
    #expect(
      try #require(Instant("2026-09-01T08:00:00.1Z")) < #require(
        Instant("2026-09-01T08:00:00.10001Z")
      )
    )
    #expect(Instant("2026-09-01T08:00:00.10Z") == Instant("2026-09-01T08:00:00.1Z"))
    #expect(
      try #require(Instant("1969-12-31T23:59:59.9Z")) < #require(Instant("1970-01-01T00:00:00Z"))
    )
    #expect(later.isLater(than: earlier, byMoreThan: 3599))
    #expect(!later.isLater(than: earlier, byMoreThan: 3600))
  }

  @Test func textIsUTCWithMilliseconds() throws {
    #expect(Instant("2026-09-03T17:05:11.1239+03:00")?.text == "2026-09-03T14:05:11.123Z")
    #expect(Instant(milliseconds: -1).text == "1969-12-31T23:59:59.999Z")
    #expect(Instant(seconds: .min).text == "0000-01-01T00:00:00.000Z")
    #expect(Instant(seconds: .max).text == "9999-12-31T23:59:59.000Z")
    var random = SeededGenerator()
    let calendar = ISO8601DateFormatter()
    for _ in 0..<500 {
      let seconds = Int64.random(in: -62_000_000_000...253_000_000_000, using: &random)
      let instant = Instant(seconds: seconds)
      #expect(Instant(instant.text) == instant)
      if seconds > 0 {
        let date = calendar.string(from: Date(timeIntervalSince1970: Double(seconds)))
        #expect(instant.text == date.replacing("Z", with: ".000Z"))
      }
    }
  }
}
