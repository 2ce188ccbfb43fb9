package import RasdModel

/// What tells one source from every other: the same export under another name is the same,
/// resealed it is another whose rows are known.
package struct SourceKey: Hashable, Sendable {
  package let exportId: String
  /// SHA-256 of its manifest's bytes.
  package let manifest: SHA256Digest
  /// SHA-256 over its decoded JSONL streams, as its end record has it.
  package let jsonl: SHA256Digest

  package init(exportId: String, manifest: SHA256Digest, jsonl: SHA256Digest) {
    self.exportId = exportId
    self.manifest = manifest
    self.jsonl = jsonl
  }
}

/// A source as it describes itself, proved whole.
package struct SourceDescription: Hashable, Sendable {
  package var key: SourceKey
  package var origin: SourceOrigin
  package var namespace: Namespace
  /// As written in the manifest.
  package var exportedAt: String
  /// The installation's counter of exports, where it keeps one.
  package var sequence: Int64?
  /// Whether rows may be missing from it: filters left them out, or damage did.
  package var isPartial: Bool
  /// The name it had, for people.
  package var label: String

  package init(
    key: SourceKey,
    origin: SourceOrigin,
    namespace: Namespace,
    exportedAt: String,
    sequence: Int64? = nil,
    isPartial: Bool = false,
    label: String
  ) {
    self.key = key
    self.origin = origin
    self.namespace = namespace
    self.exportedAt = exportedAt
    self.sequence = sequence
    self.isPartial = isPartial
    self.label = label
  }

  /// Whether it may stand for all that its namespace delivered before (the merge rules,
  /// §Retraction): what was filtered, or got out of damage, may lack what is held, and a store's
  /// export is of many namespaces.
  var mayReplace: Bool {
    switch origin {
    case .device, .migration: !isPartial
    case .store, .salvage: false
    }
  }
}

/// Who made a source (the format, §manifest.json: `meta.origin`).
package enum SourceOrigin: String, Hashable, Sendable, CaseIterable {
  case device, store, salvage, migration
}

/// How far a source has been read: the next thing to read, in the reader's own terms.
package struct SourceCursor: Hashable, Sendable {
  package var entry: Int
  package var row: Int

  package init(entry: Int = 0, row: Int = 0) {
    self.entry = entry
    self.row = row
  }
}

/// A source in the ledger.
package struct SourceRecord: Hashable, Sendable {
  package enum State: Int64, Sendable {
    /// Proved whole; its rows are on their way in.
    case merging = 0
    case done = 1
    /// What only it had delivered has been deleted.
    case purged = 2
  }

  /// Its number in this store's ledger.
  package let number: Int
  package let description: SourceDescription
  package internal(set) var state: State
  package internal(set) var isRetracted: Bool
  package internal(set) var cursor: SourceCursor
  /// Outcomes of the rows read so far, by table.
  package internal(set) var tally: [TableName: RowTally]
  /// `exportedAt` as a moment; nil where it is none.
  package let exportedAt: Instant?

  package var isActive: Bool { !isRetracted && state != .purged }
}
