package import RasdModel
package import RasdReport
package import RasdSalvage

/// What a salvage got out; every page and every candidate row is in exactly one number.
package struct Salvaged: Sendable {
  package let path: String
  package var databases: [Database] = []
  /// Exports that lay beside the databases.
  package var exports: [Rescued] = []
  /// What entered an export or a store, and files that were matched to attachments.
  package var written = Written()
  /// Whether it is an export or a store, which only some rows may enter.
  package var isSealed = false
  /// Whether anything was put at `path`.
  package var isWritten = false

  package struct Written: Sendable {
    package var rows = 0
    package var blobs = 0
    /// Copies of rows that a better one of their key stands for.
    package var copies = 0
    /// Rows that may enter only where they are asked for.
    package var unadmitted = 0
    /// Rows of tables that are none of the format's, and rows that break its rules.
    package var unmapped = 0
    package var unmergeable = 0
  }

  package var rows: Int { databases.reduce(0) { $0 + $1.ledger.deliveredCount } }

  package struct Database: Sendable {
    package let path: String
    package let sha256: SHA256Digest
    package let tables: [String]
    package let ledger: SalvageLedger
    /// Pages by what became of them.
    package let pages: [String: Int]
    package let cipher: String?

    package var pageCount: Int { pages.values.reduce(0, +) }

    /// Whether something of what is there could not be had whole.
    package var incomplete: Bool {
      ledger.delivered.keys.contains { $0.kind.mayEnter && $0.grade < .plausible }
        || pages["unknown", default: 0] + pages["absent", default: 0] > 0
        || ledger.documents.unlisted > 0
    }

    /// Rows of each table by kind or grade, in the order of the tables.
    package func counts<Key: Hashable>(
      by key: (SalvageLedger.Line) -> Key
    ) -> [(table: String, counts: [Key: Int])] {
      tables.indices.compactMap { index in
        var counts: [Key: Int] = [:]
        for (line, count) in ledger.delivered where line.table == index {
          counts[key(line), default: 0] += count
        }
        return counts.isEmpty ? nil : (tables[index], counts)
      }
    }

    package var event: SalvageLedgerEvent {
      SalvageLedgerEvent(
        path: path,
        pages: pages,
        rows: counts { "\($0.kind.rawValue).\($0.grade.rawValue)" },
        candidates: ledger.candidates,
        delivered: ledger.deliveredCount,
        others: [
          "leftovers": ledger.leftovers, "duplicates": ledger.duplicates,
          "schemaRows": ledger.schemaRows, "undecodable": ledger.undecodable,
          "implausible": ledger.implausible,
        ],
        documents: ledger.documents.members
      )
    }
  }
}

extension SalvageLedger.Documents {
  /// Empty where there was none.
  fileprivate var members: [String: Int] {
    guard count + chunks > 0 else { return [:] }
    return [
      "whole": whole, "partial": partial, "contradicted": contradicted, "unlisted": unlisted,
      "chunksJoined": joined, "chunksSpare": spare,
    ]
  }
}
