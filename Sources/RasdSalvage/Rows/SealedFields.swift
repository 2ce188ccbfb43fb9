internal import RasdModel

/// Values `"enc:v1:<base64url of an envelope>"` within a JSON text (Rasd storage specification,
/// §8.3).
enum SealedFields {
  /// What became of the sealed values of one text.
  struct Outcome: Hashable, Sendable {
    var opened = 0
    var closed = 0
  }

  /// Whether there may be one.
  static func mayOccur(in json: Span<UInt8>) -> Bool {
    var at = 0
    while at + 8 <= json.count {
      if json[at] == UInt8(ascii: "\""), begins(json, at + 1) { return true }
      at += 1
    }
    return false
  }

  /// Puts the plain values, which are JSON, in the place of those that a key opens.
  static func open(_ json: [UInt8], subject: [UInt8], keys: FieldKeys) -> ([UInt8], Outcome) {
    var out: [UInt8] = []
    out.reserveCapacity(json.count)
    var outcome = Outcome()
    var from = 0
    var at = 0
    while at + 8 <= json.count {
      guard json[at] == UInt8(ascii: "\""), begins(json.span, at + 1),
        let end = json[(at + 1)...].firstIndex(of: UInt8(ascii: "\""))
      else {
        at += 1
        continue
      }
      let text = String(decoding: json[(at + 8)..<end], as: UTF8.self)
      if let envelope = Base64URL.decode(text),
        let plain = PayloadEnvelope.open(envelope.span, subject: subject, keys: keys),
        isJSON(plain)
      {
        out.append(contentsOf: json[from..<at])
        out.append(contentsOf: plain)
        from = end + 1
        outcome.opened += 1
      } else {
        outcome.closed += 1
      }
      at = end + 1
    }
    out.append(contentsOf: json[from...])
    return (out, outcome)
  }

  private static func begins(_ json: Span<UInt8>, _ at: Int) -> Bool {
    guard at + 7 <= json.count, json[at] == UInt8(ascii: "e") else { return false }
    for i in 0..<7 where json[at + i] != PayloadEnvelope.fieldPrefix[i] { return false }
    return true
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    (try? JSONValue.parse(bytes)) != nil
  }
}
