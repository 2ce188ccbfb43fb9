import Foundation
import RasdModel
import TestSupport
import Testing

/// What each table's rows must be, and what of a good row is noticed.
@Suite struct RowRuleTests {
  @Test(arguments: [
    ("", RowFault.blankLine), (" \t", .blankLine), ("\r", .blankLine),
    ("\u{FEFF}{}", .byteOrderMark),
    ("{", .notJSON), ("{}x", .notJSON), ("[]", .notAnObject), ("null", .notAnObject),
    ("\"a\"", .notAnObject), (#"{"id":"a","id":"a"}"#, .doubledMember),
    (#"{"id":"a","data":{"x":1,"\u0078":1}}"#, .doubledMember),
    (#"{"id":"\ud800"}"#, .loneSurrogate), (#"{"id":"a","data":1e400}"#, .numberOutOfRange),
    (#"{"id":"a","data":-1E309}"#, .numberOutOfRange), ("{\"id\":\"a\u{0}\"}", .notJSON),
    (#"{"id":01}"#, .notJSON), (#"{"id":NaN}"#, .notJSON), ("{'id':1}", .notJSON),
    (String(repeating: "[", count: 10_000), .tooDeep),
    (
      "{\"id\":\"a\",\"data\":" + String(repeating: "[", count: 512)
        + String(repeating: "]", count: 512) + "}", .tooDeep
    ),
  ]) func aLineThatIsNoRow(line: String, fault: RowFault) {
    for table in TableName.rasd + [.host("x_tracks")] {
      let error = #expect(throws: RowRejection.self, "\(table) \(line.prefix(40))") {
        try Fixture.read(line, table)
      }
      #expect(error?.fault == fault && error?.offset != nil)
      #expect(error?.error == RasdError(.integrity, .rowInvalid))
    }
  }

  @Test(arguments: [[0x80], [0xED, 0xA0, 0x80], [0xC1, 0x81], [0xFF, 0xFE]] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    let line = Array(#"{"id":"a"#.utf8) + bytes + Array("\"}".utf8)
    let error = #expect(throws: RowRejection.self) { try Fixture.row(line, .kv) }
    #expect(error?.fault == .invalidUTF8 && error?.offset == 8)
  }

  @Test func aCarriageReturnIsNoticedAndTheRowKept() throws {
    let row = try Fixture.read(Fixture.text() + "\r", .submissions)
    #expect(row.notices == [RowNotice(.carriageReturn)])
    #expect(row.text.last == 0x0D)
    #expect(row.hash == (try Fixture.submission().hash))
  }

  @Test(arguments: [
    "NUL \\u0000 and six characters \\\\u0000", "line \u{2028} paragraph \u{2029}",
    "\u{202E}RTL\u{200F} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "مخيم الزعتري",
    "\u{7F}\u{80}\u{9F}",
    "e\u{301} vs \u{E9}", "\u{FEFF}inside", "\u{10FFFF}\u{FFFF}",
  ]) func textsSurviveByteForByte(text: String) throws {
    let line = Fixture.text([
      ("instanceName", "\"\(text)\""), ("data", "{\"\(text)\":\"\(text)\"}"),
    ])
    let row = try Fixture.read(line, .submissions)
    #expect(row.text == Array(line.utf8))
    let canonical = try canonicalForm(of: row.text)
    #expect(
      String(decoding: canonical, as: UTF8.self).utf8.elementsEqual(
        ReferenceJSON.canonical(try JSONValue.parse(row.text)).utf8
      )
    )
  }

  @Test(arguments: [
    ("9007199254740993", "9007199254740992"), ("12345678901234567890", "12345678901234567000"),
    ("1.10", "1.1"), ("-0", "0"), ("0.1", "0.1"), ("7858647087597395000", "7858647087597395000"),
  ]) func numbersAreKeptAsWrittenAndComparedAsDoubles(written: String, canonical: String) throws {
    let row = try Fixture.submission([("data", written)])
    #expect(row.text == Array(Fixture.text([("data", written)]).utf8))
    let same = try Fixture.submission([("data", canonical)])
    #expect(row.hash == same.hash)
    #expect(row.submission?.contentDigest == same.submission?.contentDigest)
  }

  @Test(arguments: [
    ("id", "1"), ("id", "null"), ("id", "\"\""), ("id", "[\"s1\"]"),
  ]) func aSubmissionHasAnId(name: String, value: String) {
    let error = #expect(throws: RowRejection.self) { try Fixture.submission([(name, value)]) }
    #expect(error?.fault == .noKey)
  }

  @Test func statuses() throws {
    for status in ["draft", "finalized", "queued", "sending", "synced", "rejected", "conflict"] {
      #expect(try Fixture.submission(status: status).submission?.status.rawValue == status)
    }
    for status in ["", "Draft", "pending", "draft ", "sent"] {
      let error = #expect(throws: RowRejection.self) { try Fixture.submission(status: status) }
      #expect(error?.fault == .status && error?.key == RowKey(submission: "s1"))
    }
    for value in ["null", "1", "[]"] {
      let error = #expect(throws: RowRejection.self) {
        try Fixture.submission([("status", value)])
      }
      #expect(error?.fault == .status)
    }
  }

  static let revisions: [(String, Int64?)] = [
    ("0", 0), ("-0", 0), ("1.0", 1), ("2e1", 20), ("9007199254740991", 9_007_199_254_740_991),
    ("9007199254740992", nil), ("9007199254740993", nil), ("-1", nil), ("0.5", nil),
    ("\"1\"", nil), ("true", nil), ("[]", nil), ("99999999999999999999", nil), ("1e308", nil),
  ]

  @Test(arguments: revisions) func clientRev(written: String, value: Int64?) throws {
    guard let value else {
      let error = #expect(throws: RowRejection.self) {
        try Fixture.submission([("clientRev", written)])
      }
      #expect(error?.fault == .clientRev)
      return
    }
    #expect(try Fixture.submission([("clientRev", written)]).submission?.clientRev == value)
  }

  @Test(arguments: revisions) func serverRev(written: String, value: Int64?) throws {
    guard let value else {
      let error = #expect(throws: RowRejection.self) {
        try Fixture.submission([("serverRev", written)])
      }
      #expect(error?.fault == .serverRev)
      return
    }
    #expect(try Fixture.submission([("serverRev", written)]).submission?.serverRev == value)
  }

  @Test func aRevisionThatIsNotThere() throws {
    #expect(try Fixture.submission([("serverRev", "null")]).submission?.serverRev == nil)
    #expect(try Fixture.submission().submission?.serverRev == nil)
    let null = #expect(throws: RowRejection.self) {
      try Fixture.submission([("clientRev", "null")])
    }
    #expect(null?.fault == .clientRev)
    let absent = #expect(throws: RowRejection.self) {
      try Fixture.read(#"{"id":"a","status":"draft"}"#, .submissions)
    }
    #expect(absent?.fault == .clientRev)
  }

  @Test func theAttachmentList() throws {
    for list in ["{}", "\"\"", "1", "[1]", "[null]", "[[]]", "[{},true]"] {
      let error = #expect(throws: RowRejection.self) {
        try Fixture.submission([("attachments", list)])
      }
      #expect(error?.fault == .attachmentList)
    }
    let hash = String(repeating: "ab", count: 32)
    let list =
      #"[{"id":"p1","bytes":5,"sha256":"\#(hash)"},{"field":"no id"},"#
      + #"{"id":"p2"},{"id":"p3","bytes":-1},{"id":"p4","sha256":"\#(hash.uppercased())"}]"#
    let row = try Fixture.submission([("attachments", list)])
    let listed = try #require(row.submission?.listed)
    #expect(listed.map(\.id) == ["p1", "p2", "p3", "p4"])
    #expect(listed[0].claim == BlobClaim(bytes: 5, sha256: SHA256Digest(hex: hash)))
    #expect(listed[1].claim == BlobClaim(bytes: nil, sha256: nil))
    #expect(listed[2].claim.isMalformed && listed[3].claim.isMalformed)
  }

  @Test func times() throws {
    let readable = try Fixture.submission([
      ("updatedAt", "\"2026-09-01T09:00:00.5+03:00\""), ("createdAt", "\"1970-01-01T00:00:00Z\""),
    ])
    #expect(readable.submission?.updatedAt == Instant("2026-09-01T06:00:00.500Z"))
    #expect(readable.notices.isEmpty)
    for value in [
      "\"yesterday\"", "\"\"", "null", "5", "\"2026-09-01T24:00:00Z\"", "\"2026-09-01T09:00:00\"",
    ] {
      let row = try Fixture.submission([("updatedAt", value)])
      #expect(row.submission?.updatedAt == nil)
      #expect(row.notices == [RowNotice(.timeUnreadable, member: "updatedAt")])
    }
    let absent = try Fixture.read(#"{"id":"a","status":"draft","clientRev":0}"#, .submissions)
    #expect(absent.notices == [RowNotice(.timeUnreadable, member: "updatedAt")])
    let created = try Fixture.submission([("createdAt", "\"2026\"")])
    #expect(created.notices == [RowNotice(.timeUnreadable, member: "createdAt")])
  }
}
