import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// What lets somebody wipe an old device: every row and blob by hash, as they were read back
/// out of the export that is for the new one.
///
/// JSON lines: what was copied into what, a line a row, a line a blob, the sums.
struct Receipt {
  let export: OpenedExport
  let path: String
  let run: Run

  /// Proves `written` whole, writes the receipt and gives the hash of all that was read.
  func write(
    _ written: ExportReader,
    to output: BufferedOutput
  ) throws(RasdError) -> SHA256Digest {
    try output.append(line: head(written).object.text)
    let shade = export.shade(run.rules)
    let rules = RowRules(
      namespace: written.manifest.namespace,
      isStoreExport: false,
      strictForms: false
    )
    var contents = ContentHash()
    var (rows, rejected, blobs, blobBytes) = (0, 0, 0, 0)
    let verification = try written.verify(
      workers: run.rules.jobs,
      makeRows: {
        let read = rules.makeReader()
        return { part, body in (bytes: [UInt8](copying: body), rows: read(part, body)) }
      },
      onRows: { (part: RowsPart, read: (bytes: [UInt8], rows: [ReadRow])) throws(RasdError) in
        try run.interrupt.check()
        contents.add(read.bytes.span, of: part.table)
        for (index, row) in read.rows.enumerated() {
          if row.rejection != nil { rejected += 1 }
          let line = Self.line(row, part, number: part.rowsBefore + index + 1, shade)
          try output.append(line: line.object.text)
        }
        rows += part.rows
      },
      onBlob: { (part, _) throws(RasdError) in
        guard let sha256 = part.sha256 else { return }
        let size = part.offset + part.bytes
        contents.add(part.id, bytes: size, sha256)
        blobs += 1
        blobBytes += size
        var line = Members()
        line.add("blob", part.id.text)
        line.add("bytes", size)
        line.add("sha256", sha256.hex)
        try output.append(line: line.object.text)
      }
    )
    if let cause = verification.cause { throw cause }
    var sums = Members()
    sums.add("rows", rows)
    sums.add("rejected", rejected)
    sums.add("blobs", blobs)
    sums.add("blobBytes", blobBytes)
    sums.add("exportBytes", written.file.source.size)
    sums.add("exportSha256", try Self.digest(of: written.file.source).hex)
    try output.append(line: sums.object.text)
    return contents.finish()
  }

  private func head(_ written: ExportReader) -> Members {
    var from = export.identity.members
    from.add("exportedAt", export.exportedAt)
    var to = Members()
    to.add("path", path)
    to.add("exportId", written.manifest.exportID.text)
    to.add("manifestSha256", written.manifest.digest.hex)
    to.add("namespace", written.manifest.namespace.text)
    var head = Members()
    head.add("receipt", 1)
    head.add("from", from)
    head.add("to", to)
    return head
  }

  /// A row by its hash; one that breaks the rules, which is copied as it is, by its text's.
  private static func line(
    _ row: ReadRow,
    _ part: RowsPart,
    number: Int,
    _ shade: KeyShade
  ) -> Members {
    var line = Members()
    line.add("table", part.table.text)
    line.add("line", number)
    switch row {
    case .row(let prepared):
      line.add("key", shade.json(prepared.row.key))
      line.add("hash", prepared.row.hash.hex)
    case .rejected(let rejection, let text):
      line.add("key", rejection.key.map(shade.json))
      line.add("reason", rejection.reason.rawValue)
      line.add("textSha256", SHA256.digest(text.span).hex)
    case .observation: break  // Read as an ordinary row here.
    }
    return line
  }

  private static func digest(of source: ByteSource) throws(RasdError) -> SHA256Digest {
    var hash = SHA256()
    var bytes: [UInt8] = []
    var offset = 0
    while offset < source.size {
      try source.read(at: offset, count: min(1 << 20, source.size - offset), into: &bytes)
      hash.update(bytes.span)
      offset += bytes.count
    }
    return hash.finish()
  }
}
