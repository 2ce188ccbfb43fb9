import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// SQLite's binary JSON, against examples that SQLite itself made.
@Suite struct JSONBTests {
  private static func text(_ blob: [UInt8]) -> [UInt8]? {
    var text: [UInt8] = []
    do throws(JSONB.Fault) {
      try JSONB.write(blob.span, to: &text)
      return text
    } catch {
      return nil
    }
  }

  @Test("every example of the library, and none that it calls malformed", .shared("corpora/jsonb"))
  func examples() throws {
    let file = try File.read(Shared.path("corpora/jsonb/examples.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any])
    let rows = try #require(json["rows"] as? [[String: Any]])
    var (taken, refused) = (0, 0)
    for row in rows {
      guard let digits = row["jsonb"] as? String ?? row["hand"] as? String else { continue }
      let blob = try #require(Hex.decode(digits))
      let text = Self.text(blob)
      let verdict = row["json_valid8"] as? Int ?? row["valid8_strict"] as? Int ?? 1
      // SQLite's strict check does not look at UTF-8; ours does.
      if verdict == 1, digits != "17ff" {
        taken += 1
        let expected = row["text"] as? String ?? row["json()"] as? String
        #expect(text.map { String(decoding: $0, as: UTF8.self) } == expected, "\(digits)")
      } else {
        refused += 1
        #expect(text == nil, "\(digits)")
      }
    }
    #expect(taken > 50 && refused > 5, "\(taken) taken, \(refused) refused")
  }

  @Test("every prefix and every flipped byte of a document end in text or a fault")
  func hostile() {
    // {"b":[true,null],"a":"x"}
    let blob: [UInt8] = [0x9C, 0x17, 0x62, 0x2B, 0x01, 0x00, 0x17, 0x61, 0x17, 0x78]
    #expect(
      Self.text(blob).map { String(decoding: $0, as: UTF8.self) } == #"{"b":[true,null],"a":"x"}"#
    )
    for end in 0..<blob.count { #expect(Self.text(Array(blob[..<end])) == nil) }
    for at in blob.indices {
      for value in UInt8.min...UInt8.max {
        var changed = blob
        changed[at] = value
        guard let text = Self.text(changed) else { continue }
        let value = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        #expect(value != nil, "\(Hex.encode(changed))")
      }
    }
  }
}
