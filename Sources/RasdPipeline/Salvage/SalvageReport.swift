import RasdModel
import RasdReport
package import RasdSalvage

// What a report says of a database: its cipher, its damaged pages, what could not be read.

extension Salvage {
  /// Every damaged or unknown page is news; every page is counted by what became of it.
  func reportPages(_ layout: PageLayout, _ run: Run) throws(RasdError) -> [String: Int] {
    var fates: [String: Int] = [:]
    try forEachPageRecord { (page) throws(RasdError) in
      fates[page.fate, default: 0] += 1
      guard page.isNews else { return }
      try run.emit(
        PageEvent(
          number: Int(page.number),
          offset: max(0, Int(layout.offset(of: page.number))),
          kind: page.fate == "unknown" ? page.shape : page.fate,
          verdict: page.verdict.rawValue
        )
      )
    }
    return fates
  }

  /// Says where there are more chunks than are joined.
  func sayUnjoined(of path: String, _ run: Run) throws(RasdError) {
    guard unjoinedChunks > 0 else { return }
    try run.find(
      FindingEvent(
        .warning,
        .documentsUnjoined,
        subject: ["path": .text(path)],
        details: ["count": .number(Int64(unjoinedChunks))]
      )
    )
  }
}

extension EvidenceSeals {
  /// Says how much of which file the medium did not give.
  func sayUnreadable(_ run: Run) throws(RasdError) {
    for seal in all where seal.unreadable > 0 {
      try run.find(
        FindingEvent(
          .warning,
          .databaseDamaged,
          code: .corrupt,
          subject: ["path": .text(seal.path)],
          details: [
            "what": .text(PageFinding.Kind.readFailed.rawValue),
            "bytes": .number(seal.unreadable),
          ]
        )
      )
    }
  }
}

extension PageFinding {
  /// The finding as the report has it; what only tells how the file was read is a notice.
  func event(path: String) -> FindingEvent {
    var details = details
    details["what"] = .text(kind.rawValue)
    let isNotice = [.cipherFound, .keyNotNeeded, .severalKeys, .walUncommitted, .olderCopyUsed]
      .contains(kind)
    return FindingEvent(
      isNotice ? .notice : .warning,
      isNotice ? .databaseRead : .databaseDamaged,
      code: isNotice ? nil : .corrupt,
      subject: ["path": .text(path)],
      details: details
    )
  }
}

extension CipherFormat {
  /// How the file is encrypted, in a report's words.
  package var words: String {
    "sqlcipher, \(pageSize)-byte pages, \(hmac.map { "HMAC \($0)" } ?? "no HMAC")"
  }
}
