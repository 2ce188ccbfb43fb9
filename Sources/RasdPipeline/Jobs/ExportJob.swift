import RasdContainer
import RasdCrypto
package import RasdModel
package import RasdReport
import RasdStore

/// Writes what a reader sees in a store: sealed, for another store or a device, or as JSON
/// lines in the clear.
package struct ExportJob: Sendable {
  package enum Format: String, Sendable, CaseIterable { case rasdx, jsonl }

  package struct Options: Sendable {
    package var format = Format.rasdx
    package var recipients = RecipientInputs()
    package var selection = ExportSelection()
    package var overwriting = Overwriting.refused

    package init() {}
  }

  /// What was written.
  package struct Written: Sendable {
    package let path: String
    package let format: Format
    package let identity: SourceIdentity?
    package internal(set) var rows: [(table: TableName, rows: Int)] = []
    package internal(set) var blobs = 0
    package internal(set) var blobBytes = 0
    package internal(set) var isWritten = true
  }

  private let place: StorePlace
  private let path: String
  private let options: Options

  package init(store: StorePlace, to path: String, options: Options) {
    place = store
    self.path = path
    self.options = options
  }

  package func run(_ run: Run) throws(RasdError) -> Written {
    let recipients = try options.recipients.load(run)
    let isSealed = options.format == .rasdx && !options.recipients.plaintext
    if isSealed, recipients.isEmpty { throw RasdError(.keyUnavailable, .noRecipient) }
    if !isSealed {
      let severity: Severity = options.format == .jsonl ? .notice : .warning
      try run.find(FindingEvent(severity, .plaintextWritten, subject: ["path": .text(path)]))
    }
    let store = try place.open(.reading, run)
    defer { store.close() }
    try options.selection.check(against: store)
    let reading = StoreReading(store: store, selection: options.selection, run: run)
    run.progress.begin(.writing, total: 0)
    guard run.rules.writing == .real else {
      try options.overwriting.check(path, run)
      return try reading.rehearsed(to: path, options.format)
    }
    switch options.format {
    case .jsonl:
      return try JSONLExport(reading).write(to: path, options.overwriting)
    case .rasdx:
      let export = StoreExport(reading, recipients: isSealed ? recipients : [])
      return try export.write(to: path, options.overwriting)
    }
  }
}
