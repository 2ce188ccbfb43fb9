import RasdCrypto
import RasdModel

/// One submission with all that hangs on it: its row, its photo's row and its due outbox row.
struct MadeSubmission {
  var id: String
  /// Milliseconds since 1970.
  var begun: Int64
  var status: SubmissionStatus
  var device: String
  var photo: MadePhoto?
  var data: [JSONValue.Member]

  private func at(_ minutes: Int64) -> JSONValue {
    .string(Instant(milliseconds: begun + minutes * 60_000).text)
  }

  private var point: JSONValue { data.first?.value ?? "" }
  /// A device frees the bytes of every other photo that it has synced.
  var isPurged: Bool { isSynced && begun / 60_000 % 2 == 0 }
  private var isSynced: Bool { status == .synced || status == .rejected }

  private var listed: JSONValue {
    guard let photo else { return [] }
    let bytes = photo.bytes()
    return [
      [
        "id": .string(photo.id), "field": "photo", "mime": .string(photo.mime),
        "bytes": .number(JSONNumber(Int64(bytes.count))),
        "sha256": .string(SHA256.digest(bytes.span).hex), "name": .string(photo.name),
      ]
    ]
  }

  func row() throws -> JSONValue {
    let attachments = listed
    let content: [JSONValue.Member] = [
      .init("id", .string(id)), .init("formId", .string(MadeForm.id)),
      .init("formVersion", .string(MadeForm.version)),
      .init("definitionHash", .string(try MadeForm.hash())), .init("data", .object(data)),
      .init("meta", ["deviceId": .string(device), "start": at(0)]),
    ]
    var row = content
    row.append(.init("status", .string(status.rawValue)))
    row.append(.init("instanceName", point))
    row.append(.init("clientRev", status == .draft ? 0 : 1))
    row.append(.init("createdAt", at(0)))
    row.append(.init("updatedAt", at(isSynced ? 40 : 12)))
    row.append(.init("attachments", attachments))
    row.append(.init("audit", [["at": at(0), "op": "open"], ["at": at(11), "op": "edit"]]))
    if status != .draft {
      row.append(.init("finalizedAt", at(12)))
      row.append(.init("checksum", .string(try checksum(content, attachments))))
    }
    if isSynced {
      row.append(.init("serverRev", 1))
      row.append(.init("syncedAt", at(40)))
    }
    return .object(row)
  }

  /// The format, §Rows: P without the names of the attachments.
  private func checksum(_ content: [JSONValue.Member], _ listed: JSONValue) throws -> String {
    let reduced = (listed.array ?? []).map { item in
      JSONValue.object((item.members ?? []).filter { $0.name != "name" })
    }
    let whole = JSONValue.object(content + [.init("attachments", .array(reduced))])
    let canonical = try whole.canonical()
    return SHA256.digest(canonical.span).prefixed
  }

  func attachmentRow() -> JSONValue? {
    guard let photo else { return nil }
    let bytes = photo.bytes()
    return [
      "id": .string(photo.id), "submissionId": .string(id), "field": "photo",
      "mime": .string(photo.mime), "bytes": .number(JSONNumber(Int64(bytes.count))),
      "sha256": .string(SHA256.digest(bytes.span).hex),
      "status": isSynced ? "uploaded" : "pending", "uploadOffset": 0, "createdAt": at(3),
      "updatedAt": at(isSynced ? 40 : 3),
    ]
  }

  func outboxRow() -> JSONValue? {
    guard status == .queued else { return nil }
    return [
      "id": .string("submission:" + id), "kind": "submission", "targetId": .string(id),
      "formId": .string(MadeForm.id), "status": "pending", "priority": 0, "attempts": 0,
      "nextAttemptAt": at(13), "createdAt": at(13),
    ]
  }
}
