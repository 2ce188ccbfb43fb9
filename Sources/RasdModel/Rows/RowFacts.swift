/// What the merge rules and the findings need to know of a row, by table.
package enum RowFacts: Hashable, Sendable {
  case form(FormFacts)
  case submission(SubmissionFacts)
  case attachment(AttachmentFacts)
  case dataset(DatasetFacts)
  case outbox(OutboxFacts)
  case kv(KVFacts)
  /// A host table's row: nothing is known of it but its text.
  case host
}

package struct FormFacts: Hashable, Sendable {
  package var id: String
  package var version: String
  /// The row's own `definitionHash`; nil where absent or no text.
  package var declaredHash: String?
  /// SHA-256 of the definition's canonical form; nil where there is no definition.
  package var definitionDigest: SHA256Digest?
  package var publishedAt: Instant?

  /// The hash by which two published definitions are told apart: the row's own, or the
  /// definition's where it has none.
  package var hash: String? { declaredHash ?? definitionDigest?.prefixed }
  /// Whether the row's hash is its definition's.
  package var hashHolds: Bool { declaredHash != nil && declaredHash == definitionDigest?.prefixed }

  package init(
    id: String,
    version: String,
    declaredHash: String?,
    definitionDigest: SHA256Digest?,
    publishedAt: Instant?
  ) {
    self.id = id
    self.version = version
    self.declaredHash = declaredHash
    self.definitionDigest = definitionDigest
    self.publishedAt = publishedAt
  }
}

package struct SubmissionFacts: Hashable, Sendable {
  package var id: String
  package var status: SubmissionStatus
  package var clientRev: Int64
  /// Nil where absent or null.
  package var serverRev: Int64?
  package var updatedAt: Instant?
  /// SHA-256 of JCS(P) (the format, §Rows).
  package var contentDigest: SHA256Digest
  /// The same without the ids: equal where two submissions hold one content.
  package var twinDigest: SHA256Digest?
  package var formId: String?
  package var formVersion: String?
  package var definitionHash: String?
  /// The items of the row's list that have an id, in its order.
  package var listed: [ListedAttachment]
  /// A draft that still carries the checksum of an earlier content.
  package var hasStaleChecksum: Bool

  package init(
    id: String,
    status: SubmissionStatus,
    clientRev: Int64,
    serverRev: Int64?,
    updatedAt: Instant?,
    contentDigest: SHA256Digest,
    twinDigest: SHA256Digest? = nil,
    formId: String? = nil,
    formVersion: String? = nil,
    definitionHash: String? = nil,
    listed: [ListedAttachment] = [],
    hasStaleChecksum: Bool = false
  ) {
    self.id = id
    self.status = status
    self.clientRev = clientRev
    self.serverRev = serverRev
    self.updatedAt = updatedAt
    self.contentDigest = contentDigest
    self.twinDigest = twinDigest
    self.formId = formId
    self.formVersion = formVersion
    self.definitionHash = definitionHash
    self.listed = listed
    self.hasStaleChecksum = hasStaleChecksum
  }
}

/// What a row says of a blob: its length and hash, as far as it says them.
package struct BlobClaim: Hashable, Sendable {
  package var bytes: Int64?
  package var sha256: SHA256Digest?
  /// A `bytes` or `sha256` that stands there and is no length or hash: no blob fits it.
  package var isMalformed: Bool

  package init(bytes: Int64?, sha256: SHA256Digest?, isMalformed: Bool = false) {
    self.bytes = bytes
    self.sha256 = sha256
    self.isMalformed = isMalformed
  }

  /// Whether a blob of this length and hash is what the row says; what it does not say
  /// binds nothing.
  package func fits(bytes: Int64, sha256: SHA256Digest) -> Bool {
    !isMalformed && (self.bytes ?? bytes) == bytes && (self.sha256 ?? sha256) == sha256
  }
}

/// One item of a submission's attachment list.
package struct ListedAttachment: Hashable, Sendable {
  package var id: String
  package var claim: BlobClaim

  package init(id: String, claim: BlobClaim) {
    self.id = id
    self.claim = claim
  }
}

package struct AttachmentFacts: Hashable, Sendable {
  package var id: String
  package var submissionId: String?
  package var status: AttachmentStatus
  package var updatedAt: Instant?
  package var claim: BlobClaim
  /// A host's asset of no submission: id `basemap:…`, submissionId `$asset`.
  package var isHostAsset: Bool

  /// Whether an attachment of this id can be a host's asset.
  package static func mayBeHostAsset(_ id: String) -> Bool {
    id.utf8.starts(with: "basemap:".utf8)
  }

  package init(
    id: String,
    submissionId: String?,
    status: AttachmentStatus,
    updatedAt: Instant?,
    claim: BlobClaim,
    isHostAsset: Bool = false
  ) {
    self.id = id
    self.submissionId = submissionId
    self.status = status
    self.updatedAt = updatedAt
    self.claim = claim
    self.isHostAsset = isHostAsset
  }
}

package struct DatasetFacts: Hashable, Sendable {
  package var name: String
  package var key: String
  package var updatedAt: Instant?
  package var isTombstone: Bool

  package init(name: String, key: String, updatedAt: Instant?, isTombstone: Bool) {
    self.name = name
    self.key = key
    self.updatedAt = updatedAt
    self.isTombstone = isTombstone
  }
}

package struct OutboxFacts: Hashable, Sendable {
  package var id: String
  package var kind: String?
  package var targetId: String?
  package var status: OutboxStatus
  /// Kind `submission` or `attachment` without a payload: made anew, never merged.
  package var isDerived: Bool

  package init(
    id: String,
    kind: String?,
    targetId: String?,
    status: OutboxStatus,
    isDerived: Bool
  ) {
    self.id = id
    self.kind = kind
    self.targetId = targetId
    self.status = status
    self.isDerived = isDerived
  }
}

package struct KVFacts: Hashable, Sendable {
  package var key: String
  package var updatedAt: Instant?

  package init(key: String, updatedAt: Instant?) {
    self.key = key
    self.updatedAt = updatedAt
  }
}
