import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// Another store on its way into this one: its observations as its own export would bring
/// them, then its held blobs.
final class StoreIntake {
  /// The entries that the ledger's cursor counts by.
  private enum Stage { static let observations = 1, blobs = 2 }

  private let session: SourceSession
  private let batches: Batches
  private let other: Store
  private let vault: BlobVault

  init(session: SourceSession, other: Store, identity: SourceIdentity, merger: Merger) {
    self.session = session
    self.other = other
    vault = merger.store.vault
    batches = Batches(session, identity: identity, bytes: .max, merger.run)
  }

  func takeAll() throws(RasdError) {
    if session.cursor.entry <= Stage.observations {
      try takeObservations(after: session.cursor.row)
    }
    let isInBlobs = session.cursor.entry == Stage.blobs
    try takeBlobs(after: isInBlobs ? session.cursor.row : 0)
    try batches.finish()
  }

  private func takeObservations(after first: Int) throws(RasdError) {
    var reader = RowReader(sha256: SHA256.digest)
    var number = 0
    try other.forEachObservationLine(.inTheLine) { (text) throws(RasdError) in
      number += 1
      guard number > first else { return }
      let read = Result { () throws(RowRejection) in
        try ObservationLine.read(text.span, with: &reader)
      }
      try take(read, text, number)
      try batches.took(before: SourceCursor(entry: Stage.observations, row: number))
      batches.run.progress.advance(rows: 1)
    }
    batches.pass(to: SourceCursor(entry: Stage.blobs))
    try batches.commit()
  }

  private func take(
    _ line: Result<ObservationLine, RowRejection>,
    _ text: [UInt8],
    _ number: Int
  ) throws(RasdError) {
    var rejection: RowRejection?
    let receipt: RowReceipt?
    switch line {
    case .success(let line): receipt = try session.add(line, number: number)
    case .failure(let error):
      rejection = error
      receipt = try session.reject(ObservationLine.table, line: number, error, text: text)
    }
    guard let receipt else { return }
    try batches.report(
      receipt,
      rejection: rejection,
      hash: nil,
      entry: ObservationLine.table.text,
      line: number
    )
  }

  private func takeBlobs(after first: Int) throws(RasdError) {
    var number = 0
    try other.forEachHeldBlob { (blob) throws(RasdError) in
      number += 1
      guard number > first else { return }
      let id = "sha256:\(blob.sha256.hex)"
      if let sealed = try copy(blob), try session.hold(sealed, id: id, mime: blob.mime) {
        try batches.report(sealed, id: id)
      }
      try batches.took(blob: blob.bytes, before: SourceCursor(entry: Stage.blobs, row: number))
      batches.run.bytes += blob.bytes
    }
    try batches.commit()
  }

  /// Brings a blob's bytes over, where they are not here already; nil where the other has lost
  /// them.
  private func copy(_ blob: HeldBlob) throws(RasdError) -> SealedBlob? {
    guard batches.run.rules.writing == .real, !vault.holds(blob.sha256, bytes: blob.bytes) else {
      return SealedBlob(sha256: blob.sha256, bytes: blob.bytes)
    }
    switch other.vault.proved(blob.sha256) {
    case .success(let proved): return try vault.copy(proved)
    case .failure(let error):
      try batches.run.find(lost: blob.sha256, of: other, error)
      return nil
    }
  }
}

extension BlobVault {
  /// Takes over a blob of another vault; it has its name after the next `sync`.
  func copy(_ blob: ProvedBlob) throws(RasdError) -> SealedBlob {
    var writer = try writer()
    try blob.forEachPart { (part) throws(RasdError) in try writer.write(part.span) }
    return try writer.finish()
  }
}
