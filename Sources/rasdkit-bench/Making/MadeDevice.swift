import RasdCrypto
import RasdModel

/// A device that never was: its rows and photos, a function of its seed.
///
/// Places, people and coordinates are invented; the points lie in the sea off Null Island.
struct MadeDevice {
  var namespace: String
  var label: String
  var seed: UInt64
  var submissions: Int
  /// Submissions that carry a photo: the first ones.
  var photos = 0
  /// Bytes of a photo of noise; nil for small drawings.
  var photoBytes: Int?
  /// Members of `data` beside the form's own.
  var extraMembers = 0
  /// The second export of a device: drafts are finished, what was queued is synced.
  var week = 1

  /// Monday of the first week, 2026-09-07 06:00 UTC, in milliseconds.
  private static let monday: Int64 = 1_788_760_800_000
  private static let day: Int64 = 86_400_000

  /// The Saturday of its week.
  var exportedAtMilliseconds: UInt64 { UInt64(Self.monday + Int64(week * 7 - 2) * Self.day) }
  var exportedAt: String { Instant(milliseconds: Int64(exportedAtMilliseconds)).text }

  /// Where a device's day begins; a submission every seven minutes.
  private func moment(_ index: Int) -> Int64 {
    Self.monday + Int64(index % 5) * Self.day + Int64(index) * 420_000 % (Self.day / 2)
  }

  func made(_ index: Int) -> MadeSubmission {
    var dice = Dice(seed &* 0x1_0001 &+ UInt64(index))
    let begun = moment(index)
    let id = dice.uuid(at: UInt64(begun))
    let photo: MadePhoto? =
      index < photos
      ? MadePhoto(
        id: dice.uuid(at: UInt64(begun) + 1),
        submission: id,
        seed: dice.next(),
        noise: photoBytes
      )
      : nil
    return MadeSubmission(
      id: id,
      begun: begun,
      status: status(index),
      device: label,
      photo: photo,
      data: data(&dice)
    )
  }

  private func status(_ index: Int) -> SubmissionStatus {
    switch (index % 10, week) {
    case (0, 1), (1, _): .draft
    case (0, _): .queued
    case (2, 1): .finalized
    case (3, 1), (4, _), (2, _): .queued
    case (9, _): .rejected
    default: .synced
    }
  }

  private func data(_ dice: inout Dice) -> [JSONValue.Member] {
    let first = dice.one(of: ["North", "South", "Old", "New", "Upper", "Lower", "بئر", "Åkra"])
    let second = dice.one(of: ["Gate", "Market", "School", "Orchard", "Ridge", "الشمال", "Källa"])
    var members: [JSONValue.Member] = [
      .init("point", .string("\(first) \(second) \(1 + dice.below(40))")),
      .init("condition", .string(dice.one(of: ["works", "works badly", "broken", "dry"]))),
      .init("depth_m", decimal(dice.below(900))),
      .init("litres_per_minute", decimal(dice.below(400))),
      .init("gps", .array([decimal(dice.below(20)), decimal(-dice.below(20))])),
      .init("visited", .bool(dice.below(5) > 0)),
      .init("taps", .number(JSONNumber(Int64(1 + dice.below(6))))),
      .init(
        "note",
        .string(dice.one(of: ["", "handle loose", "queue of 20", "guard asks for a new chain"]))
      ),
    ]
    for number in 0..<extraMembers {
      let name = "q" + String(1000 + number).dropFirst()
      members.append(.init(name, extra(&dice, number)))
    }
    return members
  }

  private func extra(_ dice: inout Dice, _ number: Int) -> JSONValue {
    switch number % 5 {
    case 0: .bool(dice.below(2) == 0)
    case 1: decimal(dice.below(100_000))
    case 2: .null
    case 3: .string("answer \(dice.below(1000)) of many that were given")
    default: .number(JSONNumber(Int64(dice.below(1_000_000))))
    }
  }

  private func decimal(_ tenths: Int) -> JSONValue {
    .number(JSONNumber(Double(tenths) / 10) ?? JSONNumber(0))
  }

  /// The list of districts that every device carries, and one tombstone.
  func datasetRows() -> [JSONValue] {
    ["north", "east", "south", "west"].enumerated().map { place, name in
      [
        "name": "districts", "key": .string(name), "labelNorm": .string(name),
        "updatedAt": .string(MadeForm.publishedAt), "deleted": .bool(place == 3),
        "row": [
          "code": .string(name), "label": .string(name), "wells": .number(JSONNumber(Int64(place))),
        ],
      ]
    }
  }

  func settingsRow() -> JSONValue {
    [
      "key": "settings", "value": ["language": "en", "device": .string(label)],
      "updatedAt": .string(exportedAt),
    ]
  }
}
