/// HKDF (RFC 5869).
package enum HKDF {
  /// The first step: a pseudorandom key of the function's size out of input key material.
  package static func extract(
    _ function: HashFunction,
    salt: Span<UInt8>,
    _ input: Span<UInt8>
  ) -> Secret {
    var mac = HMAC(function, key: salt)
    mac.update(input)
    return Secret(capacity: function.size) { mac.finish(into: &$0) }
  }

  /// The second step: `count` bytes of key, at most 255 times the function's size.
  package static func expand(
    _ function: HashFunction,
    key: Span<UInt8>,
    info: Span<UInt8>,
    count: Int
  ) -> Secret {
    var mac = HMAC(function, key: key)
    return Secret(capacity: wholeBlocks(count, of: function)) {
      expand(&mac, info: info, count: count, into: &$0)
    }
  }

  /// The most bytes that one expansion gives (RFC 5869, §2.3).
  package static func limit(_ function: HashFunction) -> Int { 255 * function.size }

  /// The room an expansion needs: its last block is written whole, then cut.
  static func wholeBlocks(_ count: Int, of function: HashFunction) -> Int {
    (count + function.size - 1) / function.size * function.size
  }

  /// The second step with a keyed HMAC, for callers that expand one key many times.
  ///
  /// The output must be empty and have room for whole blocks.
  static func expand(
    _ mac: inout HMAC,
    info: Span<UInt8>,
    count: Int,
    into output: inout OutputSpan<UInt8>
  ) {
    precondition(count <= limit(mac.function), "RFC 5869 ends at 255 blocks")
    let size = mac.function.size
    var counter: UInt8 = 0
    while output.count < count {
      counter += 1
      if counter > 1 { mac.update(output.span.extracting(last: size)) }
      mac.update(info)
      mac.update([counter].span)
      mac.finish(into: &output)
    }
    // The surplus lies in the caller's secret memory, which is overwritten as a whole.
    output.removeLast(output.count - count)
  }
}
