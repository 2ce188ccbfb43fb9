package import RasdModel

/// What came of reading an export whole.
package struct Verification: Sendable {
  package internal(set) var meta: ExportMeta?
  /// What the export says of itself at its end; nil where that can't be read.
  package internal(set) var end: EndRecord?
  /// What was counted, in the manifest's order.
  package internal(set) var tables: [EndRecord.Table] = []
  package internal(set) var blobs = EndRecord.Blobs()
  /// Blobs whose bytes are not those that the inventory or their own row says.
  package internal(set) var badBlobs: [BadBlob] = []

  /// The first failures, in the order in which they showed.
  package private(set) var failures: [RasdError] = []
  /// All of them.
  package private(set) var failureCount = 0
  /// More would say no more.
  package static let mostFailures = 100

  package var isWhole: Bool { failureCount == 0 }

  package struct BadBlob: Hashable, Sendable {
    package let id: BlobID
    package let bytes: Int
    package let sha256: SHA256Digest
  }

  mutating func add(_ failure: RasdError) {
    failureCount += 1
    if failures.count < Self.mostFailures { failures.append(failure) }
  }

  /// The failure that explains the others: an altered manifest is told from its effects, and what
  /// is damaged or missing makes sums and hashes disagree.
  package var cause: RasdError? {
    if isManifestAltered {
      return RasdError(.corrupt, .manifestAltered, ["failures": .number(Int64(failureCount))])
    }
    for reason in Self.explaining {
      if let failure = failures.first(where: { $0.reason == reason }) { return failure }
    }
    return failures.first
  }

  /// Most telling first.
  private static let explaining: [Reason] = [
    .manifestAltered, .unsupportedVersion, .entryDamaged, .truncated, .unsafeContainer,
    .entryMissing, .partOrder, .countMismatch, .totalHashMismatch,
  ]

  /// The seals of the two entries that are bound to the manifest fail, and no other does.
  private var isManifestAltered: Bool {
    let broken = failures.filter { $0.reason == .entryDamaged }
    guard broken.count == 2, failureCount <= Self.mostFailures else { return false }
    return broken.allSatisfy { $0.details["seal"] == .flag(true) }
      && Set(broken.map { $0.details["entry"] }) == ["meta.json", "end.json"]
  }
}
