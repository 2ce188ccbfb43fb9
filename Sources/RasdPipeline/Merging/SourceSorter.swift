import RasdModel
import RasdStore

/// Exports by what is to be done with them.
struct SourceSorter {
  private let store: Store

  init(_ store: Store) { self.store = store }

  struct Sorted {
    /// Never seen, or not in this file: to be proved, then merged.
    var unproved: [OpenedExport] = []
    /// Proved by an earlier run that did not finish.
    var begun: [OpenedExport] = []
    /// Merged from this very file, or excluded since.
    var known: [(OpenedExport, SourceRecord)] = []

    var toRead: [OpenedExport] { begun + unproved }
  }

  /// Refuses what can't be merged whatever it holds.
  func sort(_ exports: [OpenedExport], _ run: Run) throws(RasdError) -> Sorted {
    var sorted = Sorted()
    for export in exports {
      do throws(RasdError) {
        try export.requireKnownStorage()
        if let org = store.org, export.namespace.org != org {
          throw RasdError(
            .unavailable,
            .foreignNamespace,
            ["namespace": .text(export.namespace.text), "org": .text(org)]
          )
        }
      } catch {
        try run.refuse(export.path, error)
        continue
      }
      guard let record = store.source(export.key) else {
        sorted.unproved.append(export)
        continue
      }
      let isProved = try export.isProved(as: record.number, in: store)
      switch record.state {
      case .merging where record.cursor.entry > 0 && isProved: sorted.begun.append(export)
      case .done where isProved, .purged where record.isKnown:
        sorted.known.append((export, record))
      default: sorted.unproved.append(export)
      }
    }
    return sorted
  }
}
