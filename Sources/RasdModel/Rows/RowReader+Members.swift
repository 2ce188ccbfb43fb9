extension RowReader {
  /// A member that is there and not null.
  func present(_ name: StaticString, _ line: Span<UInt8>) -> Int? {
    guard let node = tape.member(name, of: 0, in: line), tape.kind(of: node) != .null else {
      return nil
    }
    return node
  }

  func optionalText(_ name: StaticString, _ line: Span<UInt8>) -> String? {
    tape.member(name, of: 0, in: line).flatMap { tape.string(of: $0, in: line) }
  }

  /// A member of the row's key.
  func text(
    _ name: StaticString,
    _ line: Span<UInt8>,
    mayBeEmpty: Bool = false
  ) throws(RowRejection) -> String {
    guard let text = optionalText(name, line), mayBeEmpty || !text.isEmpty else {
      throw RowRejection(.noKey)
    }
    return text
  }

  /// An integer from 0 to 2⁵³-1 by value: `1.0` is 1, as it is in canonical form.
  func revision(_ name: StaticString, _ line: Span<UInt8>) -> Int64? {
    guard let node = tape.member(name, of: 0, in: line),
      let value = tape.double(of: node, in: line), let revision = JSONNumber.integer(value),
      revision >= 0
    else { return nil }
    return revision
  }

  /// A timestamp by which rows are ordered; one that is absent or no timestamp is a notice.
  func ordering(
    _ name: StaticString,
    _ line: Span<UInt8>,
    _ notes: inout RowNotes
  ) -> Instant? {
    guard let node = tape.member(name, of: 0, in: line),
      let moment = tape.instant(of: node, in: line)
    else {
      notes.add(.timeUnreadable, member: "\(name)")
      return nil
    }
    notes.saw(moment)
    return moment
  }

  /// A timestamp that only says when something happened.
  func happened(_ name: StaticString, _ line: Span<UInt8>, _ notes: inout RowNotes) {
    guard present(name, line) != nil else { return }
    _ = ordering(name, line, &notes)
  }

  /// What the object at `node` says of a blob.
  func claim(of node: Int, _ line: Span<UInt8>) -> BlobClaim {
    var claim = BlobClaim(bytes: nil, sha256: nil)
    if let bytes = tape.member("bytes", of: node, in: line), tape.kind(of: bytes) != .null {
      claim.bytes = tape.double(of: bytes, in: line).flatMap { JSONNumber.integer($0) }
      if (claim.bytes ?? -1) < 0 { claim = BlobClaim(bytes: nil, sha256: nil, isMalformed: true) }
    }
    if let hash = tape.member("sha256", of: node, in: line), tape.kind(of: hash) != .null {
      claim.sha256 = tape.string(of: hash, in: line).flatMap { SHA256Digest(hex: $0) }
      if claim.sha256 == nil { claim.isMalformed = true }
    }
    return claim
  }

  /// The items of a submission's `attachments`; none where the list is absent or null.
  func attachmentList(_ line: Span<UInt8>, _ key: RowKey) throws(RowRejection) -> [Int] {
    guard let list = present("attachments", line) else { return [] }
    guard let items = tape.items(of: list), items.allSatisfy({ tape.kind(of: $0) == .object })
    else {
      throw RowRejection(.attachmentList, offset: tape.range(of: list).lowerBound, key: key)
    }
    return items
  }

  func listed(_ items: [Int], _ line: Span<UInt8>) -> [ListedAttachment] {
    var list: [ListedAttachment] = []
    for item in items {
      guard
        let id = tape.member("id", of: item, in: line).flatMap({ tape.string(of: $0, in: line) })
      else { continue }
      list.append(ListedAttachment(id: id, claim: claim(of: item, line)))
    }
    return list
  }

  /// Ids and names in the attachment list of the submission that was read last, given its line
  /// again.
  package func attachmentNames(line: Span<UInt8>) -> [(id: String, name: String)] {
    guard let list = present("attachments", line), let items = tape.items(of: list) else {
      return []
    }
    return items.compactMap { item in
      guard
        let id = tape.member("id", of: item, in: line).flatMap({ tape.string(of: $0, in: line) }),
        let name = tape.member("name", of: item, in: line)
          .flatMap({ tape.string(of: $0, in: line) })
      else { return nil }
      return (id, name)
    }
  }

  /// What of P a digest is over.
  enum Content {
    /// All of it: the submission's checksum (the format, §Rows).
    case whole
    /// All but the ids of the submission and its attachments: what two submissions of one
    /// content have in common.
    case withoutIds
  }

  /// SHA-256 of JCS(P): the members by which a submission's checksum is defined, written in
  /// canonical order (the format, §Rows).
  mutating func contentDigest(
    _ line: Span<UInt8>,
    _ items: [Int],
    _ content: Content
  ) -> SHA256Digest {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: "{\"attachments\":[".utf8)
    for (i, item) in items.enumerated() {
      if i > 0 { scratch.append(UInt8(ascii: ",")) }
      scratch.append(UInt8(ascii: "{"))
      var isFirst = true
      appendMember("bytes", of: item, line, &isFirst)
      appendMember("field", of: item, line, &isFirst)
      if content == .whole { appendMember("id", of: item, line, &isFirst) }
      appendMember("mime", of: item, line, &isFirst)
      appendMember("sha256", of: item, line, &isFirst)
      scratch.append(UInt8(ascii: "}"))
    }
    scratch.append(UInt8(ascii: "]"))
    reuseMember("data", line)
    reuseMember("definitionHash", line)
    reuseMember("formId", line)
    reuseMember("formVersion", line)
    if content == .whole { reuseMember("id", line) }
    reuseMember("meta", line)
    scratch.append(UInt8(ascii: "}"))
    return sha256(scratch.span)
  }

  /// Takes a member of the row, as its canonical form has it already.
  private mutating func reuseMember(_ name: StaticString, _ line: Span<UInt8>) {
    guard let rank = tape.rank(of: name, in: 0, line) else { return }
    scratch.append(UInt8(ascii: ","))
    scratch.append(contentsOf: canonical[places[rank]..<(places[rank + 1] - 1)])
  }

  private mutating func appendMember(
    _ name: StaticString,
    of node: Int,
    _ line: Span<UInt8>,
    _ isFirst: inout Bool
  ) {
    guard let member = tape.member(name, of: node, in: line) else { return }
    if !isFirst { scratch.append(UInt8(ascii: ",")) }
    isFirst = false
    scratch.append(UInt8(ascii: "\""))
    for i in 0..<name.utf8CodeUnitCount { unsafe scratch.append(name.utf8Start[i]) }
    scratch.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
    tape.writeCanonical(of: member, in: line, to: &scratch)
  }
}
