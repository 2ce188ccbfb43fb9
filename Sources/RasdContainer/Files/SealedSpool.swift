import RasdModel

final class SealedSpool: Sendable {
  let size: Int = 0
  func append(at offset: Int, count: Int, to bytes: inout [UInt8]) throws(RasdError) {}
}
