import RasdModel
import TestSupport
import Testing

@testable import RasdPipeline

/// Which copies enter an export, and that rows on the disk come back as they would from memory.
@Suite struct SalvageShelfTests {
  private func entry(_ key: String?, _ grade: Grade, _ kind: RowKind, _ text: String)
    -> SalvagedEntry
  {
    SalvagedEntry(
      table: .kv,
      key: key,
      hash: nil,
      grade: grade,
      kind: kind,
      text: Array(text.utf8),
      provenance: Array("{}".utf8)
    )
  }

  @Test("runs on the disk, merged level by level, are one sorted whole")
  func sorted() throws {
    var random = SeededGenerator(for: "sorted runs")
    let entries = (0..<8_000).map { _ -> SalvagedEntry in
      let key = Int.random(in: 0..<3_000, using: &random)
      let grade = Grade.allCases.randomElement(using: &random) ?? .intact
      let kind = RowKind.allCases.randomElement(using: &random) ?? .live
      let size = Int.random(in: 0..<200, using: &random)
      return entry(
        key == 0 ? nil : "[\"\(key)\"]",
        grade,
        kind,
        String(repeating: "é", count: size)
      )
    }
    let shelf = SortedEntries(.kv, bytesARun: 2_000)
    for entry in entries { try shelf.add(entry) }
    let expected = entries.sorted(by: SalvagedEntry.precedes)
    for _ in 0..<2 {
      var found: [SalvagedEntry] = []
      try shelf.forEach { (entry) throws(RasdError) in found.append(entry) }
      #expect(found.map(\.key) == expected.map(\.key))
      #expect(found.map(\.grade) == expected.map(\.grade))
      #expect(found.map(\.kind) == expected.map(\.kind))
      #expect(found.map(\.text) == expected.map(\.text))
    }
    #expect(shelf.count == entries.count)
  }

  private func submission(_ status: String, _ rev: Int) -> [UInt8] {
    Array(
      """
      {"id":"s1","formId":"f","formVersion":"1","definitionHash":"h","status":"\(status)",\
      "clientRev":\(rev),"createdAt":"2026-09-01T00:00:00Z","updatedAt":"2026-09-01T00:00:00Z",\
      "data":{"rev":\(rev)},"attachments":[]}
      """.utf8
    )
  }

  private func chosen(
    _ copies: [(status: String, rev: Int, grade: Grade, kind: RowKind)]
  ) throws -> (text: [UInt8], passedOver: Int) {
    let shelf = SalvageShelf(.everything, .unnamed)
    for copy in copies {
      let text = submission(copy.status, copy.rev)
      try shelf.take(text, .submissions, copy.grade, copy.kind, Array("{}".utf8))
    }
    var texts: [[UInt8]] = []
    var passedOver = 0
    try shelf.forEach(of: .submissions) { (_) throws(RasdError) in
      passedOver += 1
    } _: { (entry) throws(RasdError) in
      texts.append(entry.text)
    }
    try #require(texts.count == 1)
    return (texts[0], passedOver)
  }

  @Test("the grade first, then the kind, then the merge rules over all copies at once")
  func choice() throws {
    // By pairs the draft beats the synced one, that the finalized one, and that the draft.
    let cycle: [(String, Int, Grade, RowKind)] = [
      ("draft", 9, .intact, .live), ("synced", 5, .intact, .live),
      ("finalized", 3, .intact, .live),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let (text, passedOver) = try chosen(order.map { cycle[$0] })
      #expect(text == submission("synced", 5) && passedOver == 2, "\(order)")
    }
    #expect(
      try chosen([("draft", 9, .intact, .live), ("draft", 1, .verified, .history)]).text
        == submission("draft", 1)
    )
    #expect(
      try chosen([("draft", 9, .intact, .history), ("draft", 1, .intact, .orphan)]).text
        == submission("draft", 1)
    )
  }
}
