import RasdModel
import SQLCipherKit

/// What plugins keep on a device: the copy begins 1,000 bytes late, so page 1 is lost and no page
/// stands where it did.
struct PluginValuesSample {
  let root: String

  func make() throws {
    var dice = Dice(733)
    var truth = SampleTruth()
    try OutputFile.makeFolder("\(root)/device")
    let database = try MadeDatabase(
      plain: "\(root)/work.db",
      profile: "Recipes/profiles/device-only-kv.json"
    )
    for number in 0..<6 {
      let plugin = "org.example.plugin-\(number)"
      let row: JSONValue = [
        "plugin_id": .string(plugin), "version": .string("1.\(number).0"),
        "enabled": number == 4 ? 0 : 1, "installed_at": .string(time(number)),
      ]
      try database.insert(into: "plugins", row)
      truth.add("plugins", row, .plausible)
      for place in 0..<(number == 5 ? 0 : 60) {
        let row: JSONValue = [
          "plugin_id": .string(plugin), "key": .string(key(place)),
          "value": .string(value(place, &dice)), "updated_at": .string(time(100 + place)),
        ]
        try database.insert(into: "plugin_kv", row)
        truth.add("plugin_kv", row, .plausible)
      }
    }
    let bytes = try database.finish()
    try OutputFile.write(Array(bytes.dropFirst(1_000)), to: "\(root)/device/plugins.db")
    try truth.write(to: root)
  }

  private func time(_ minutes: Int) -> String {
    Instant(milliseconds: 1_788_760_800_000 + Int64(minutes) * 60_000).text
  }

  private func key(_ place: Int) -> String {
    switch place % 3 {
    case 0: "setting/\(place)"
    case 1: "الإعداد \(place)"
    default: "cache:\(place):last"
    }
  }

  private func value(_ place: Int, _ dice: inout Dice) -> String {
    switch place % 5 {
    case 0: "true"
    case 1: "\(dice.below(100_000))"
    case 2: #"{"columns":[\#(place),\#(place + 1)],"label":"طابق \#(place)"}"#
    case 3: #""a line with \"quotes\" and a break\n""#
    default: "[" + (0..<(1 + dice.below(120))).map { "\($0)" }.joined(separator: ",") + "]"
    }
  }
}
