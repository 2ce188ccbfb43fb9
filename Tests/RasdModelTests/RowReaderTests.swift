import Foundation
import RasdCrypto
import RasdModel
import TestSupport
import Testing

/// Rows whose hashes and checksums another implementation of RFC 8785 has computed.
@Suite struct RowReaderTests {
  let namespace = Fixture.namespace

  @Test func submissionsOfAnIndependentWriter() throws {
    let lines = try Fixture.lines("submissions.jsonl")
    let answers = try Fixture.fields("submissions.tsv")
    #expect(lines.count == 21 && answers.count == 21)
    var reader = Fixture.reader()
    for (line, answer) in zip(lines, answers) {
      let row = try reader.read(line: line.span, table: .submissions, namespace: namespace)
      #expect(row.text == line)
      #expect(row.key == RowKey(submission: answer[0]))
      #expect(row.hash.hex == answer[3])
      let facts = try #require(row.submission)
      #expect(facts.status.rawValue == answer[1])
      #expect(String(facts.clientRev) == answer[2])
      #expect(facts.contentDigest.prefixed == answer[4])
      #expect(row.notices.isEmpty)
    }
  }

  @Test func formsOfAnIndependentWriter() throws {
    let lines = try Fixture.lines("forms.jsonl")
    var reader = Fixture.reader()
    for (line, answer) in zip(lines, try Fixture.fields("forms.tsv")) {
      let row = try reader.read(line: line.span, table: .forms, namespace: namespace)
      #expect(row.key == RowKey(form: answer[0], version: answer[1]))
      #expect(row.hash.hex == answer[2])
      guard case .form(let facts) = row.facts else {
        Issue.record("not a form")
        continue
      }
      #expect(facts.hash == answer[3] && facts.hashHolds)
      #expect(facts.publishedAt == Instant("2026-08-01T00:00:00Z"))
      #expect(row.notices.isEmpty)
    }
  }

  /// Layout, member order and number forms are the writer's; hash and checksum see through them.
  @Test func anotherWritingOfARowIsTheSameObservation() throws {
    let plain =
      #"{"id":"a","status":"draft","clientRev":1,"updatedAt":"2026-01-01T00:00:00Z","#
      + #""data":{"n":[100,0.5,1e21],"t":"é\n"}}"#
    let other =
      #" { "data":{"t":"\u00e9\u000A","n":[1.0e2 , 5e-1,1000000000000000000000]},"#
      + "\t\"updatedAt\":\"2026-01-01T00:00:00Z\",\"clientRev\":1.0,\"status\":\"draft\",\"id\":\"\\u0061\"}"
    let a = try Fixture.read(plain, .submissions)
    let b = try Fixture.read(other, .submissions)
    #expect(a.hash == b.hash && a.key == b.key && a.facts == b.facts)
    #expect(b.text == Array(other.utf8))
  }

  @Test func absentAndNullAreDifferentRows() throws {
    let absent = try Fixture.submission()
    let null = try Fixture.submission([("meta", "null")])
    #expect(absent.hash != null.hash)
    #expect(absent.submission?.contentDigest != null.submission?.contentDigest)
    let noList = try Fixture.submission()
    let nullList = try Fixture.submission([("attachments", "null")])
    let emptyList = try Fixture.submission([("attachments", "[]")])
    #expect(noList.submission?.contentDigest == nullList.submission?.contentDigest)
    #expect(noList.submission?.contentDigest == emptyList.submission?.contentDigest)
    #expect(Set([noList.hash, nullList.hash, emptyList.hash]).count == 3)
  }

  @Test func theListIsPartOfTheContentInItsOrderAndReduced() throws {
    let one = #"{"id":"p","field":"f","mime":"image/jpeg","bytes":1,"sha256":"x"}"#
    let two = #"{"id":"q","bytes":2}"#
    func digest(_ list: String) throws -> SHA256Digest? {
      try Fixture.submission([("attachments", list)]).submission?.contentDigest
    }
    let both = try digest("[\(one),\(two)]")
    #expect(try both != digest("[\(two),\(one)]"))
    #expect(try both == digest("[\(one.replacing("{", with: "{\"name\":\"n\",")),\(two)]"))
    #expect(try both == digest("[\(one),\(two.replacing("2}", with: "2.0,\"z\":null}"))]"))
    #expect(try both != digest("[\(one),\(two.replacing("2}", with: "2,\"mime\":null}"))]"))
  }

  @Test func lifecycleIsOutsideTheContent() throws {
    let row = try Fixture.submission()
    let later = try Fixture.submission([
      ("serverRev", "4"), ("syncedAt", "\"2026-02-01T00:00:00Z\""), ("audit", "[1]"), ("ext", "{}"),
      ("instanceName", "\"x\""), ("createdAt", "null"),
    ])
    #expect(row.submission?.contentDigest == later.submission?.contentDigest)
    #expect(later.submission?.serverRev == 4)
    #expect(later.latest == Instant("2026-02-01T00:00:00Z"))
    #expect(row.hash != later.hash)
  }

  @Test func aChecksumProvesARowAndOnlyADraftMayCarryAnother() throws {
    let digest = try #require(try Fixture.submission().submission?.contentDigest)
    let good = try Fixture.submission(status: "queued", [("checksum", "\"\(digest.prefixed)\"")])
    #expect(good.notices.isEmpty)
    let without = try Fixture.submission(status: "queued")
    #expect(without.notices == [RowNotice(.checksumAbsent, member: "checksum")])
    let null = try Fixture.submission(status: "synced", [("checksum", "null")])
    #expect(null.notices == [RowNotice(.checksumAbsent, member: "checksum")])
    for wrong in ["\"\(digest.hex)\"", "\"\(digest.prefixed.uppercased())\"", "\"\"", "7", "[]"] {
      let error = #expect(throws: RowRejection.self) {
        try Fixture.submission(status: "rejected", [("checksum", wrong)])
      }
      #expect(error?.reason == .rowChecksumMismatch)
      #expect(error?.key == RowKey(submission: "s1"))
      let draft = try Fixture.submission([("checksum", wrong)])
      #expect(draft.notices == [RowNotice(.staleChecksum, member: "checksum")])
      #expect(draft.submission?.hasStaleChecksum == true)
      #expect(draft.submission?.contentDigest == digest)
    }
    #expect(try Fixture.submission([("checksum", "\"\(digest.prefixed)\"")]).notices.isEmpty)
  }

  /// One flipped bit anywhere in a proved row is noticed or changes only what is not proved.
  @Test func everyFlipAndEveryPrefix() throws {
    let digest = try #require(try Fixture.submission().submission?.contentDigest)
    let line = Fixture.text(
      status: "queued",
      [("checksum", "\"\(digest.prefixed)\""), ("attachments", "[]"), ("serverRev", "null")]
    )
    let row = try Fixture.read(line, .submissions)
    let bytes = Array(line.utf8)
    var reader = Fixture.reader()
    for i in bytes.indices {
      #expect(throws: RowRejection.self) {
        try Fixture.row(Array(bytes[..<i]), .submissions)
      }
      for bit in 0..<8 {
        var flipped = bytes
        flipped[i] ^= 1 << UInt8(bit)
        guard
          let other = try? reader.read(
            line: flipped.span,
            table: .submissions,
            namespace: namespace
          )
        else { continue }
        #expect(other.text == flipped)
        let isProved = !other.notices.contains { $0.reason == .checksumAbsent }
        if isProved, other.submission?.status != .draft {
          #expect(other.submission?.contentDigest == row.submission?.contentDigest)
        }
      }
    }
  }

  @Test func aReaderIsNotMisledByTheRowBefore() throws {
    var reader = Fixture.reader()
    let lines = try Fixture.lines("submissions.jsonl")
    for line in lines {
      let alone = try Fixture.row(line, .submissions)
      _ = try? reader.read(line: Array("{\"id\":[1,{".utf8).span, table: .kv, namespace: namespace)
      let after = try reader.read(line: line.span, table: .submissions, namespace: namespace)
      #expect(alone == after)
    }
  }
}
