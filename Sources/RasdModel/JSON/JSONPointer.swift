/// Places in a JSON value (RFC 6901).
package enum JSONPointer {
  /// The pointers at which two values differ, sorted bytewise, at most `limit`.
  ///
  /// They are the deepest places that tell the two apart, and the member or item itself where
  /// only one has it. Numbers are compared as doubles, so `1.0` and `1` are no difference.
  package static func differences(
    _ a: JSONValue,
    _ b: JSONValue,
    limit: Int = 1000
  ) -> [String] {
    var found: [String] = []
    differences(a, b, at: "", limit, &found)
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func differences(
    _ a: JSONValue,
    _ b: JSONValue,
    at place: String,
    _ limit: Int,
    _ found: inout [String]
  ) {
    guard found.count < limit else { return }
    switch (a, b) {
    case (.object(let x), .object(let y)):
      let right = Dictionary(
        y.map { (Array($0.name.utf8), $0.value) },
        uniquingKeysWith: { $1 }
      )
      let left = Set(x.map { Array($0.name.utf8) })
      for member in x {
        let next = place + "/" + escape(member.name)
        if let other = right[Array(member.name.utf8)] {
          differences(member.value, other, at: next, limit, &found)
        } else if found.count < limit {
          found.append(next)
        }
      }
      for member in y where !left.contains(Array(member.name.utf8)) && found.count < limit {
        found.append(place + "/" + escape(member.name))
      }
    case (.array(let x), .array(let y)):
      for i in 0..<max(x.count, y.count) where found.count < limit {
        if i < x.count, i < y.count {
          differences(x[i], y[i], at: place + "/\(i)", limit, &found)
        } else {
          found.append(place + "/\(i)")
        }
      }
    case (.number(let x), .number(let y)):
      if x.double != y.double { found.append(place) }
    default:
      if a != b { found.append(place) }
    }
  }

  /// One step of a pointer: `~` is `~0`, `/` is `~1`.
  package static func escape(_ name: String) -> String {
    var step = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": step += "~0"
      case "/": step += "~1"
      default: step.unicodeScalars.append(scalar)
      }
    }
    return step
  }
}
