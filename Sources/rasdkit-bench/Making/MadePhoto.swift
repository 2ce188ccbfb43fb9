import RasdModel

/// An attachment's bytes, made when they are asked for: noise of a given size, or a drawing.
struct MadePhoto {
  let id: String
  let submission: String
  let seed: UInt64
  /// Nil for a drawing.
  let noise: Int?

  var mime: String { noise == nil ? "image/svg+xml" : "image/jpeg" }
  var name: String { noise == nil ? "pump.svg" : "IMG_0001.jpg" }

  func bytes() -> [UInt8] {
    var dice = Dice(seed)
    guard let noise else { return Array(Self.drawing(&dice).utf8) }
    return dice.bytes(noise)
  }

  /// A hand pump of random build.
  private static func drawing(_ dice: inout Dice) -> String {
    let height = 60 + dice.below(40)
    let ground = 120
    let colour = dice.one(of: ["#2a6f97", "#7f5539", "#386641", "#6d597a"])
    let stones = (0..<6).map { _ in
      "<circle cx='\(dice.below(160))' cy='\(ground + 8 + dice.below(20))' r='\(2 + dice.below(5))'/>"
    }
    return """
      <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 160 150' fill='\(colour)'>
      <rect x='72' y='\(ground - height)' width='16' height='\(height)'/>
      <rect x='20' y='\(ground - height)' width='70' height='8' transform='rotate(-\(dice.below(20)) 80 \(ground - height))'/>
      <path d='M88 \(ground - height + 14)h30v14h-8v-6h-22z'/>
      <rect y='\(ground)' width='160' height='3'/>
      \(stones.joined(separator: "\n"))
      </svg>

      """
  }
}
