import RasdContainer
import RasdCrypto
import RasdModel

/// A made-up device's export, written by the product's own writer.
struct MadeExport {
  var device: MadeDevice
  var recipients: [ExportRecipient]
  var suite: Suite = .chunked
  /// Submissions that came from elsewhere, after the device's own.
  var others: [MadeSubmission] = []

  private static let tables: [TableName] = [
    .forms, .submissions, .attachments, .datasets, .outbox, .kv,
  ]

  func write(to path: String) throws {
    var dice = Dice(device.seed &* 64 &+ UInt64(device.week))
    guard let namespace = Namespace(device.namespace),
      let id = ExportID(dice.uuid(at: device.exportedAtMilliseconds))
    else { throw RasdError(.integrity, .manifestInvalid, ["namespace": .text(device.namespace)]) }
    let draft = ExportDraft(
      exportID: id,
      namespace: namespace,
      exportedAt: device.exportedAt,
      tables: Self.tables,
      meta: [
        "device": .string(device.label), "app": "sample 1.0", "platform": "none",
        "exportSeq": .number(JSONNumber(Int64(device.week))), "origin": "device",
      ],
      suite: suite,
      recipients: recipients,
      encryptedTo: suite == .none ? nil : "supervisor, sample only"
    )
    let writer = try ExportWriter(to: path, draft)
    try writeRows(to: writer)
    try writePhotos(to: writer)
    _ = try writer.finish()
  }

  /// Made anew for every table, so that a large device needs no memory.
  private func forEach(_ body: (MadeSubmission) throws -> Void) rethrows {
    for index in 0..<device.submissions { try body(device.made(index)) }
    for other in others { try body(other) }
  }

  private func writeRows(to writer: ExportWriter) throws {
    func write(_ row: JSONValue, to table: TableName) throws {
      let text = row.text
      try writer.write(text.span, to: table)
    }
    try write(try MadeForm.row(), to: .forms)
    try forEach { try write(try $0.row(), to: .submissions) }
    try forEach { made in
      if let row = made.attachmentRow() { try write(row, to: .attachments) }
    }
    for row in device.datasetRows() { try write(row, to: .datasets) }
    try forEach { made in
      if let row = made.outboxRow() { try write(row, to: .outbox) }
    }
    try write(device.settingsRow(), to: .kv)
  }

  /// The photos of what has not been synced; synced ones are purged, as a device does.
  private func writePhotos(to writer: ExportWriter) throws {
    try forEach { made in
      guard let photo = made.photo, !made.isPurged, let id = BlobID(photo.id) else { return }
      try writer.beginBlob(id, mime: photo.mime)
      try writer.append(photo.bytes().span)
      try writer.endBlob()
    }
  }
}
