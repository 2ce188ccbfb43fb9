extension RowReader {
  /// What an entry's name can hold (the format, §Entries).
  static var longestAttachmentID: Int { 128 }

  mutating func facts(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ namespace: Namespace,
    _ hash: SHA256Digest,
    _ notes: inout RowNotes
  ) throws(RowRejection) -> (RowKey, RowFacts) {
    switch table {
    case .forms: return try form(line, &notes)
    case .submissions: return try submission(line, &notes)
    case .attachments: return try attachment(line, &notes)
    case .datasets:
      let name = try text("name", line)
      let key = try text("key", line, mayBeEmpty: true)
      var isTombstone = false
      if let deleted = tape.member("deleted", of: 0, in: line) {
        isTombstone =
          line[tape.range(of: deleted).lowerBound] == UInt8(ascii: "t")
          || (tape.double(of: deleted, in: line) ?? 0) != 0
      }
      let facts = DatasetFacts(
        name: name,
        key: key,
        updatedAt: ordering("updatedAt", line, &notes),
        isTombstone: isTombstone
      )
      return (RowKey(dataset: name, key: key), .dataset(facts))
    case .outbox: return try outbox(line, namespace, &notes)
    case .kv:
      let key = try text("key", line, mayBeEmpty: true)
      let facts = KVFacts(key: key, updatedAt: ordering("updatedAt", line, &notes))
      return (RowKey(.kv, [namespace.text, key]), .kv(facts))
    case .host:
      return (RowKey(table, [namespace.text, hash.hex]), .host)
    }
  }

  private mutating func form(
    _ line: Span<UInt8>,
    _ notes: inout RowNotes
  ) throws(RowRejection) -> (RowKey, RowFacts) {
    let id = try text("id", line)
    let version = try text("version", line)
    var digest: SHA256Digest?
    if let definition = tape.member("definition", of: 0, in: line) {
      scratch.removeAll(keepingCapacity: true)
      tape.writeCanonical(of: definition, in: line, to: &scratch)
      digest = sha256(scratch.span)
    }
    let facts = FormFacts(
      id: id,
      version: version,
      declaredHash: optionalText("definitionHash", line),
      definitionDigest: digest,
      publishedAt: ordering("publishedAt", line, &notes)
    )
    if facts.declaredHash != nil, !facts.hashHolds {
      notes.add(.definitionHashMismatch, member: "definitionHash")
    }
    happened("updatedAt", line, &notes)
    return (RowKey(form: id, version: version), .form(facts))
  }

  private mutating func submission(
    _ line: Span<UInt8>,
    _ notes: inout RowNotes
  ) throws(RowRejection) -> (RowKey, RowFacts) {
    let id = try text("id", line)
    let key = RowKey(submission: id)
    guard let status = optionalText("status", line).flatMap({ SubmissionStatus(rawValue: $0) })
    else { throw RowRejection(.status, key: key) }
    guard let clientRev = revision("clientRev", line) else {
      throw RowRejection(.clientRev, key: key)
    }
    var serverRev: Int64?
    if present("serverRev", line) != nil {
      serverRev = revision("serverRev", line)
      if serverRev == nil { throw RowRejection(.serverRev, key: key) }
    }
    let items = try attachmentList(line, key)
    let digest = contentDigest(line, items, .whole)
    let checksum = present("checksum", line)
    let holds = optionalText("checksum", line) == digest.prefixed
    var isStale = false
    if status == .draft {
      isStale = checksum != nil && !holds
      if isStale { notes.add(.staleChecksum, member: "checksum") }
    } else if checksum == nil {
      notes.add(.checksumAbsent, member: "checksum")
    } else if !holds {
      throw RowRejection(.checksumMismatch, key: key)
    }
    let facts = SubmissionFacts(
      id: id,
      status: status,
      clientRev: clientRev,
      serverRev: serverRev,
      updatedAt: ordering("updatedAt", line, &notes),
      contentDigest: digest,
      twinDigest: contentDigest(line, items, .withoutIds),
      formId: optionalText("formId", line),
      formVersion: optionalText("formVersion", line),
      definitionHash: optionalText("definitionHash", line),
      listed: listed(items, line),
      hasStaleChecksum: isStale
    )
    happened("createdAt", line, &notes)
    happened("finalizedAt", line, &notes)
    happened("syncedAt", line, &notes)
    return (key, .submission(facts))
  }

  private func attachment(
    _ line: Span<UInt8>,
    _ notes: inout RowNotes
  ) throws(RowRejection) -> (RowKey, RowFacts) {
    let id = try text("id", line)
    let key = RowKey(attachment: id)
    guard id.utf8.count <= Self.longestAttachmentID else {
      throw RowRejection(.attachmentID, key: key)
    }
    guard let status = optionalText("status", line).flatMap({ AttachmentStatus(rawValue: $0) })
    else { throw RowRejection(.status, key: key) }
    let submissionId = optionalText("submissionId", line)
    let facts = AttachmentFacts(
      id: id,
      submissionId: submissionId,
      status: status,
      updatedAt: ordering("updatedAt", line, &notes),
      claim: claim(of: 0, line),
      isHostAsset: submissionId == "$asset" && AttachmentFacts.mayBeHostAsset(id)
    )
    happened("createdAt", line, &notes)
    return (key, .attachment(facts))
  }

  private func outbox(
    _ line: Span<UInt8>,
    _ namespace: Namespace,
    _ notes: inout RowNotes
  ) throws(RowRejection) -> (RowKey, RowFacts) {
    let id = try text("id", line)
    let key = RowKey(.outbox, [namespace.text, id])
    guard let status = optionalText("status", line).flatMap({ OutboxStatus(rawValue: $0) })
    else { throw RowRejection(.status, key: key) }
    let kind = optionalText("kind", line)
    let isDerived =
      (kind == "submission" || kind == "attachment") && present("payload", line) == nil
    happened("createdAt", line, &notes)
    let facts = OutboxFacts(
      id: id,
      kind: kind,
      targetId: optionalText("targetId", line),
      status: status,
      isDerived: isDerived
    )
    return (key, .outbox(facts))
  }
}
