import Foundation
import RasdCrypto
import RasdModel
import TestSupport

/// Rows for tests, from files and made up.
enum Fixture {
  static let namespace: Namespace = {
    guard let namespace = Namespace("example.u_1") else { preconditionFailure("a namespace") }
    return namespace
  }()

  static func reader() -> RowReader { RowReader { SHA256.digest($0) } }

  static func lines(_ name: String) throws -> [[UInt8]] {
    try File.read(Checkout.path("Tests/RasdModelTests/Fixtures/" + name))
      .split(separator: 0x0A).map(Array.init)
  }

  static func fields(_ name: String) throws -> [[String]] {
    try lines(name).map { line in
      line.split(separator: 0x09).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  static func row(_ line: [UInt8], _ table: TableName) throws(RowRejection) -> Row {
    var reader = reader()
    return try reader.read(line: line.span, table: table, namespace: namespace)
  }

  static func read(_ line: String, _ table: TableName) throws(RowRejection) -> Row {
    try row(Array(line.utf8), table)
  }

  /// A submission's text; the members given are added, or stand for those that are there.
  static func text(status: String = "draft", _ members: [(String, String)] = []) -> String {
    var all: [(String, String)] = [
      ("id", "\"s1\""), ("formId", "\"f\""), ("status", "\"\(status)\""), ("clientRev", "1"),
      ("updatedAt", "\"2026-01-01T00:00:00Z\""), ("data", #"{"a":[1,2],"b":"é"}"#),
    ]
    for (name, value) in members {
      if let i = all.firstIndex(where: { $0.0 == name }) {
        all[i].1 = value
      } else {
        all.append((name, value))
      }
    }
    return "{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  static func submission(
    status: String = "draft",
    _ members: [(String, String)] = []
  ) throws(RowRejection) -> Row {
    try read(text(status: status, members), .submissions)
  }
}

extension Row {
  var submission: SubmissionFacts? {
    if case .submission(let facts) = facts { facts } else { nil }
  }
}
