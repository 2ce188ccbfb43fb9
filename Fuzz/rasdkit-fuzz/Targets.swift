import RasdModel

/// One for each parser of foreign bytes.
///
/// A target only has to return: a trap, a sanitizer's
/// report, two seconds or half a gigabyte are what libFuzzer looks for.
let targets: [String: @Sendable (Span<UInt8>) -> Void] = [
  "nothing": { _ in }
]
