import Foundation
import RasdModel
import TestSupport
import Testing

/// Forms, attachments, datasets, outbox, kv and host tables.
@Suite struct OtherTableTests {
  @Test(arguments: [
    (TableName.forms, #"{"id":"f"}"#), (.forms, #"{"version":"1"}"#),
    (.forms, #"{"id":"f","version":1}"#),
    (.attachments, #"{"status":"pending"}"#), (.attachments, #"{"id":"","status":"pending"}"#),
    (.datasets, #"{"name":"n"}"#), (.datasets, #"{"key":"k"}"#),
    (.datasets, #"{"name":"n","key":7}"#),
    (.outbox, #"{"status":"pending"}"#), (.kv, #"{"value":1}"#), (.kv, #"{"key":null}"#),
  ]) func aRowHasItsKey(table: TableName, line: String) {
    let error = #expect(throws: RowRejection.self) { try Fixture.read(line, table) }
    #expect(error?.fault == .noKey)
  }

  @Test func keys() throws {
    let time = #""updatedAt":"2026-01-01T00:00:00Z""#
    func key(_ line: String, _ table: TableName) throws -> String {
      try Fixture.read(line, table).key.text
    }
    #expect(try key(#"{"id":"f","version":"1.0"}"#, .forms) == #"["f","1.0"]"#)
    #expect(try key(#"{"name":"n","key":"",\#(time)}"#, .datasets) == #"["n",""]"#)
    #expect(try key(#"{"key":"\u00e9\n",\#(time)}"#, .kv) == #"["example.u_1","\u00e9\n"]"#)
    #expect(try key(#"{"id":"o","status":"dead"}"#, .outbox) == #"["example.u_1","o"]"#)
    let host = try Fixture.read(#"{"b":2,"a":1}"#, .host("x_a"))
    #expect(host.key == RowKey(.host("x_a"), ["example.u_1", host.hash.hex]))
    #expect(try Fixture.read(#"{"a":1.0,"b":2}"#, .host("x_a")).key == host.key)
  }

  @Test func aFormsHashIsHeldAgainstItsDefinition() throws {
    // SHA-256 of {"a":1}
    let hash = "sha256:015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
    func form(_ members: String) throws -> Row {
      try Fixture.read(
        #"{"id":"f","version":"1","publishedAt":"2026-01-01T00:00:00Z"\#(members)}"#,
        .forms
      )
    }
    #expect(try form(#","definition":{"a":1.0},"definitionHash":"\#(hash)""#).notices.isEmpty)
    #expect(try form(#","definition":{"a":1}"#).notices.isEmpty)
    let mismatch = [RowNotice(.definitionHashMismatch, member: "definitionHash")]
    #expect(try form(#","definition":{"a":2},"definitionHash":"\#(hash)""#).notices == mismatch)
    #expect(try form(#","definitionHash":"\#(hash)""#).notices == mismatch)
  }

  @Test func attachmentStatuses() throws {
    func attachment(_ status: String) throws -> Row {
      try Fixture.read(
        #"{"id":"a","status":\#(status),"updatedAt":"2026-01-01T00:00:00Z"}"#,
        .attachments
      )
    }
    for status in ["pending", "failed", "uploading", "uploaded"] {
      #expect(try attachment("\"\(status)\"").notices.isEmpty)
    }
    for status in ["\"draft\"", "\"purged\"", "null", "0"] {
      let error = #expect(throws: RowRejection.self) { try attachment(status) }
      #expect(error?.fault == .status && error?.key == RowKey(attachment: "a"))
    }
    let long = String(repeating: "é", count: 64)
    let line = #"{"id":"\#(long)","status":"pending"}"#
    #expect(try Fixture.read(line, .attachments).key == RowKey(attachment: long))
    let error = #expect(throws: RowRejection.self) {
      try Fixture.read(line.replacing("é\"", with: "éa\""), .attachments)
    }
    #expect(error?.fault == .attachmentID)
  }

  @Test(arguments: [
    ("basemap:amman#0", "$asset", true), ("basemap:amman#0", "s1", false),
    ("photo", "$asset", false),
  ]) func hostAssets(id: String, submission: String, isAsset: Bool) throws {
    let row = try Fixture.read(
      #"{"id":"\#(id)","submissionId":"\#(submission)","status":"uploaded"}"#,
      .attachments
    )
    guard case .attachment(let facts) = row.facts else {
      Issue.record("not an attachment")
      return
    }
    #expect(facts.isHostAsset == isAsset && facts.submissionId == submission)
  }

  @Test func blobClaims() throws {
    let hash = try #require(SHA256Digest(hex: String(repeating: "0f", count: 32)))
    let other = try #require(SHA256Digest(hex: String(repeating: "f0", count: 32)))
    func claim(_ members: String) throws -> BlobClaim? {
      let row = try Fixture.read(#"{"id":"a","status":"pending"\#(members)}"#, .attachments)
      if case .attachment(let facts) = row.facts { return facts.claim }
      return nil
    }
    let full = try claim(#","bytes":3,"sha256":"\#(hash.hex)""#)
    #expect(full?.fits(bytes: 3, sha256: hash) == true)
    #expect(full?.fits(bytes: 4, sha256: hash) == false)
    #expect(full?.fits(bytes: 3, sha256: other) == false)
    #expect(try claim("")?.fits(bytes: 3, sha256: hash) == true)
    #expect(try claim(#","bytes":null,"sha256":null"#)?.fits(bytes: 3, sha256: hash) == true)
    for malformed in [
      #","bytes":"3""#, #","bytes":1.5"#, #","sha256":"\#(hash.hex)0""#, #","sha256":3"#,
    ] {
      #expect(try claim(malformed)?.fits(bytes: 3, sha256: hash) == false)
    }
  }

  @Test(arguments: [
    (#""kind":"submission","targetId":"s""#, true), (#""kind":"attachment","payload":null"#, true),
    (#""kind":"submission","payload":{}"#, false), (#""kind":"attachment","payload":0"#, false),
    (#""kind":"record""#, false), (#""kind":"record","payload":null"#, false),
    (#""targetId":"s""#, false),
  ]) func derivedOutboxRows(members: String, isDerived: Bool) throws {
    for status in ["pending", "leased", "dead"] {
      let row = try Fixture.read(#"{"id":"o","status":"\#(status)",\#(members)}"#, .outbox)
      guard case .outbox(let facts) = row.facts else {
        Issue.record("not an outbox row")
        return
      }
      #expect(facts.isDerived == isDerived && facts.status.rawValue == status)
    }
    let error = #expect(throws: RowRejection.self) {
      try Fixture.read(#"{"id":"o","status":"sent",\#(members)}"#, .outbox)
    }
    #expect(error?.fault == .status)
  }

  @Test(arguments: [
    ("true", true), ("false", false), ("1", true), ("0", false), ("null", false),
    ("\"yes\"", false),
  ]) func tombstones(value: String, isTombstone: Bool) throws {
    let row = try Fixture.read(#"{"name":"n","key":"k","deleted":\#(value)}"#, .datasets)
    guard case .dataset(let facts) = row.facts else {
      Issue.record("not a dataset row")
      return
    }
    #expect(facts.isTombstone == isTombstone)
  }
}
