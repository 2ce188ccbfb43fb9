package import RasdModel

/// What a visible attachment's bytes are: held, gone on purpose, or missing.
package enum BytesStanding: Hashable, Sendable {
  case held
  /// Uploaded and then cleared from the device: normal after a sync.
  case purged
  case missing

  package init(of attachment: AttachmentFacts, isHeld: Bool) {
    if isHeld {
      self = .held
    } else {
      self = attachment.status == .uploaded ? .purged : .missing
    }
  }
}

/// A submission's list beside the rows of its attachments.
package enum AttachmentList {
  /// What is wrong with one item of a visible submission's list; nil where all is well.
  ///
  /// `row`: the visible attachment of that id, nil where there is none.
  package static func reason(
    _ item: ListedAttachment,
    row: AttachmentFacts?
  ) -> Reason? {
    guard let row else { return .attachmentAbsent }
    if let said = item.claim.sha256, let has = row.claim.sha256, said != has {
      return .attachmentDiffers
    }
    if let said = item.claim.bytes, let has = row.claim.bytes, said != has {
      return .attachmentDiffers
    }
    return nil
  }
}
