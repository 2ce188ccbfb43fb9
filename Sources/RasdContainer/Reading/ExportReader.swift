package import RasdCrypto
package import RasdModel

/// An export with the key that opens it.
package struct ExportReader: Sendable {
  package let file: ExportFile
  /// What opened it; nil under suite `none`.
  package let unlocked: Credentials.Unlocked?
  private let contentKey: ContentKey?

  package init(_ file: ExportFile, unlocked: Credentials.Unlocked?) {
    self.file = file
    self.unlocked = unlocked
    contentKey = unlocked?.contentKey
  }

  /// For the one who sealed it, and needs no slot.
  init(_ file: ExportFile, contentKey: ContentKey?) {
    self.file = file
    unlocked = nil
    self.contentKey = contentKey
  }

  package var manifest: Manifest { file.manifest }

  /// `meta.json`, the second entry.
  package func meta() throws(RasdError) -> ExportMeta {
    let bytes = try single(.meta, at: 1)
    return ExportMeta(try Self.meta(of: bytes.span))
  }

  /// `end.json`, the last entry but one: what a source is known by without reading all of it.
  package func endRecord() throws(RasdError) -> EndRecord {
    let bytes = try single(.end, at: file.entries.count - 2)
    return try EndRecord(bytes.span)
  }

  /// What the inventory says of each blob, read without reading the blobs.
  package func inventory() throws(RasdError) -> [BlobRecord] {
    var parts: [[BlobRecord]] = []
    // It lies right before the end record: its parts are found from the last to the first.
    for entry in file.entries.dropLast(2).reversed() {
      let part = try open(entry)
      guard case .rows(EntryName.inventory, let number) = part.name else { break }
      parts.append(try Self.records(in: part))
      if number == 0 { return Array(parts.reversed().joined()) }
    }
    throw ExportFile.missing(.rows(table: EntryName.inventory, part: 0))
  }

  private static func records(in part: OpenedPart) throws(RasdError) -> [BlobRecord] {
    var records: [BlobRecord?] = []
    Lines.forEach(in: part.body) { records.append(BlobRecord(line: $0)) }
    let good = records.compactMap(\.self)
    guard good.count == records.count else {
      throw RasdError(.integrity, .countMismatch, RasdError.place(part.name))
    }
    return good
  }

  /// Ids of the attachments whose rows say that they are host assets.
  package func hostAssets() throws(RasdError) -> Set<BlobID> {
    var opener = opener()
    var rows = RowReader(sha256: SHA256.digest)
    var assets: Set<BlobID> = []
    for entry in file.entries {
      guard case .rows(TableName.attachments.text, _) = try opener.name(of: entry) else { continue }
      let part = try opener.open(entry)
      Lines.forEach(in: part.body) { line in
        let row = try? rows.read(line: line, table: .attachments, namespace: manifest.namespace)
        guard case .attachment(let facts) = row?.facts, facts.isHostAsset else { return }
        if let id = BlobID(facts.id) { assets.insert(id) }
      }
    }
    return assets
  }

  private func single(_ name: EntryName, at index: Int) throws(RasdError) -> [UInt8] {
    guard file.entries.indices.contains(index) else { throw ExportFile.missing(name) }
    let part = try open(file.entries[index])
    guard part.name == name else { throw ExportFile.missing(name) }
    return [UInt8](copying: part.body)
  }

  private func open(_ entry: ZipEntry) throws(RasdError) -> OpenedPart {
    var opener = opener()
    return try opener.open(entry)
  }

  static func meta(of bytes: Span<UInt8>) throws(RasdError) -> JSONValue {
    guard let json = try? JSONValue.parse(bytes), json.members != nil else {
      throw RasdError(.integrity, .manifestInvalid, ["entry": "meta.json", "member": "object"])
    }
    return json
  }

  /// A worker's own opener.
  func opener() -> PartOpener { PartOpener(file, contentKey: contentKey) }
}
