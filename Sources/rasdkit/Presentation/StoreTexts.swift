import RasdModel
import RasdPipeline
import RasdReport
import RasdStore

/// The digest of a store, alone on its line.
struct DigestText: Presentable {
  let digest: SHA256Digest

  func text(_ terminal: Terminal) -> String { "\(digest.hex)\n" }

  var members: Members {
    var members = Members()
    members.add("storeDigest", digest.hex)
    return members
  }
}

/// What a check looked at and found.
struct CheckText: Presentable {
  let receipt: StoreCheckReceipt

  func text(_ terminal: Terminal) -> String {
    """
    \(Units.count(receipt.rows)) rows, \(Units.count(receipt.blobs)) blobs \
    (\(Units.bytes(receipt.blobBytes))): \(receipt.faults == 0 ? "all as written" : "\(Units.count(receipt.faults)) faults")

    """ + leftovers
  }

  private var leftovers: String {
    guard receipt.leftovers > 0 else { return "" }
    return """
      \(Units.count(receipt.leftovers)) files of a run that was cut short; consolidate uses or removes them

      """
  }

  var members: Members {
    var members = Members()
    members.add("rows", receipt.rows)
    members.add("blobs", receipt.blobs)
    members.add("blobBytes", receipt.blobBytes)
    members.add("faults", receipt.faults)
    members.add("leftovers", receipt.leftovers)
    return members
  }
}

/// The key slots of a store, by the numbers that name them.
struct SlotsText: Presentable {
  let slots: [StoreKeysJob.Slot]

  func text(_ terminal: Terminal) -> String {
    slots.map { "\($0.number)  \(SafeText.escape($0.words))\n" }.joined()
  }

  var members: Members {
    var members = Members()
    members.add(
      "slots",
      each: slots.map { slot in
        var members = Members()
        members.add("number", slot.number)
        members.add("slot", slot.words)
        return members
      }
    )
    return members
  }
}

/// The sources of a store, or those that something was done to.
struct SourcesText: Presentable {
  let result: SourcesJob.Result

  func text(_ terminal: Terminal) -> String {
    var table = TextTable(heading: ["id", "namespace", "rows", "state", "exported at"])
    for source in result.sources {
      let about = source.description
      table.add([
        about.key.exportId, SafeText.escape(about.namespace.text),
        Units.count(Self.rows(source)), Self.state(source), SafeText.escape(about.exportedAt),
      ])
    }
    return table.text(terminal) + purged
  }

  private var purged: String {
    guard let purged = result.purged else { return "" }
    return """
      purged \(Units.count(purged.sources)) sources: \(Units.count(purged.observations)) \
      observations, \(Units.count(purged.blobs)) blobs

      """
  }

  var members: Members {
    var members = Members()
    members.add("sources", each: result.sources.map(Self.members))
    if let purged = result.purged {
      var counts = Members()
      counts.add("sources", purged.sources)
      counts.add("observations", purged.observations)
      counts.add("blobs", purged.blobs)
      members.add("purged", counts)
    }
    members.add("storeDigest", result.digest?.hex)
    return members
  }

  private static func members(_ source: SourceRecord) -> Members {
    let about = source.description
    var members = Members()
    members.add("id", about.key.exportId)
    members.add("manifestSha256", about.key.manifest.hex)
    members.add("namespace", about.namespace.text)
    members.add("origin", about.origin.rawValue)
    members.add("exportedAt", about.exportedAt)
    members.add("exportSeq", about.sequence.map { Int($0) })
    members.add("partial", about.isPartial)
    members.add("rows", rows(source))
    members.add("state", state(source))
    members.add("label", about.label)
    return members
  }

  private static func rows(_ source: SourceRecord) -> Int {
    source.tally.values.reduce(0) { $0 + $1.rows }
  }

  private static func state(_ source: SourceRecord) -> String {
    switch source.state {
    case .purged: "purged"
    case .merging: "unfinished"
    case .done: source.isRetracted ? "excluded" : "active"
    }
  }
}
