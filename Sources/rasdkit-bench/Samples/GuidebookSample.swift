import RasdModel
import SQLCipherKit

/// A guidebook that was edited on the road: page 1 is lost, a page of entries is zeros, and some
/// rows were deleted for good.
struct GuidebookSample {
  let root: String

  private static let begin: UInt64 = 1_788_760_800_000
  private static let kinds = ["sight", "hut", "spring", "shop", "warning"]
  private static let names = ["Mill", "Ford", "Saddle", "Cistern", "Old bridge", "نبع الوادي"]

  func make() throws {
    var dice = Dice(732)
    var truth = SampleTruth()
    try OutputFile.makeFolder("\(root)/device")
    let database = try MadeDatabase(
      plain: "\(root)/work.db",
      profile: "Recipes/profiles/guidebook-mirror.json"
    )
    let guides = (0..<5).map { guide($0, &dice) }
    for row in guides { try database.insert(into: "guides", row) }
    let entries = (0..<160).map { entry($0, of: guides[$0 % guides.count], &dice) }
    for row in entries { try database.insert(into: "entries", row) }
    for number in stride(from: 0, to: 160, by: 13) {
      let row = outbox(number, of: entries[number], &dice)
      try database.insert(into: "outbox", row)
      truth.add("outbox", row, .plausible)
    }
    for (scope, cursor) in [("guides", "c-118"), ("entries", "c-4071"), ("photos", nil)] {
      let row: JSONValue = [
        "scope": .string(scope), "cursor": cursor.map { .string($0) } ?? nil,
        "pulled_at": cursor == nil ? nil : .string(time(9_000)),
        "pushed_at": scope == "entries" ? .string(time(9_100)) : nil,
      ]
      try database.insert(into: "sync_state", row)
      truth.add("sync_state", row, .plausible)
    }
    let deleted = [41, 44, 47]
    for number in deleted {
      let id = entries[number]["id"]?.string ?? ""
      try database.connection.execute("DELETE FROM entries WHERE id = '\(id)'")
    }
    var pages = SamplePages(bytes: try database.finish())
    pages.zeroPage(at: 0)
    let lost = try pages.page(of: entries[100]["title"]?.string ?? "")
    for row in guides { truth.add("guides", row, .plausible) }
    for (number, row) in entries.enumerated() {
      if pages.page(at: lost, holds: row["title"]?.string ?? "") { continue }
      let isDeleted = deleted.contains(number)
      truth.add("entries", row, .plausible, kind: isDeleted ? .freeblock : .orphan)
    }
    pages.zeroPage(at: lost)
    try OutputFile.write(pages.bytes, to: "\(root)/device/guidebook.db")
    try truth.write(to: root)
  }

  private func time(_ minutes: Int) -> String {
    Instant(milliseconds: Int64(Self.begin) + Int64(minutes) * 60_000).text
  }

  private func id(_ minutes: Int, _ dice: inout Dice) -> JSONValue {
    .string(dice.ulid(at: Self.begin + UInt64(minutes) * 60_000))
  }

  private func guide(_ number: Int, _ dice: inout Dice) -> JSONValue {
    [
      "id": id(number, &dice), "title": .string("Walks of the \(number + 1)th valley"),
      "language": number % 2 == 0 ? "en" : "ar", "updated_at": .string(time(number * 7)),
      "deleted_at": number == 3 ? .string(time(8_000)) : nil,
    ]
  }

  private func entry(_ number: Int, of guide: JSONValue, _ dice: inout Dice) -> JSONValue {
    let name = Self.names[number % Self.names.count]
    let hasPlace = number % 4 != 3
    return [
      "id": id(100 + number, &dice), "guide_id": guide["id"] ?? nil,
      "kind": .string(Self.kinds[number % Self.kinds.count]),
      "title": .string("\(name) no. \(number)."),
      "body": .string("Go on past the \(name); look twice. ".repeated(1 + dice.below(5))),
      "lat": hasPlace ? degrees(dice.below(1_000)) : nil,
      "lon": hasPlace ? degrees(dice.below(1_000)) : nil,
      "tags": number % 5 == 0 ? #"["shade","water"]"# : "[]",
      "updated_at": .string(time(200 + number * 11)),
      "deleted_at": number % 17 == 0 ? .string(time(7_000 + number)) : nil,
    ]
  }

  /// Eighths, which a REAL holds exactly.
  private func degrees(_ eighths: Int) -> JSONValue {
    JSONNumber(Double(eighths) / 8).map { .number($0) } ?? nil
  }

  private func outbox(_ number: Int, of entry: JSONValue, _ dice: inout Dice) -> JSONValue {
    let isDeleted = number % 2 == 1
    return [
      "id": id(5_000 + number, &dice), "entity": "entry", "entity_id": entry["id"] ?? nil,
      "operation": isDeleted ? "delete" : "put",
      "payload": isDeleted ? nil : .string(#"{"title":"later, no. \#(number)","rev":\#(number)}"#),
      "attempts": SampleTruth.number(number % 3), "created_at": .string(time(6_000 + number)),
    ]
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
