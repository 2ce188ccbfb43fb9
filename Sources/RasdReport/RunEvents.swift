package import RasdModel

/// A run begins: with which tool, to do what, under which policy, and never with a secret.
package struct RunStarted: ReportEvent {
  package static let name = "run.started"

  package let command: String
  /// Versions by library name, the tool's own first.
  package let versions: [(name: String, version: String)]
  /// The options that decide what the run does, by name.
  package let policy: Members
  /// SHA-256 of the recipe's bytes, where one was run.
  package let recipe: SHA256Digest?

  package init(
    command: String,
    versions: [(name: String, version: String)],
    policy: Members,
    recipe: SHA256Digest?
  ) {
    self.command = command
    self.versions = versions
    self.policy = policy
    self.recipe = recipe
  }

  package var members: Members {
    var members = Members()
    members.add("command", command)
    var tools = Members()
    for (name, version) in versions { tools.add(name, version) }
    members.add("versions", tools)
    members.add("policy", policy)
    members.add("recipe", recipe?.hex)
    return members
  }
}

/// A run ends: what became of every row, what to look at, and the exit status.
package struct RunFinished: ReportEvent {
  package static let name = "run.finished"

  package var totals: TableTally
  package var bytes: Int
  package var sources: SourceCount
  package var findings: FindingCount
  package var storeDigest: SHA256Digest?
  package var exit: Int32
  package var seconds: Double

  package init(
    totals: TableTally,
    bytes: Int,
    sources: SourceCount,
    findings: FindingCount,
    storeDigest: SHA256Digest?,
    exit: Int32,
    seconds: Double
  ) {
    self.totals = totals
    self.bytes = bytes
    self.sources = sources
    self.findings = findings
    self.storeDigest = storeDigest
    self.exit = exit
    self.seconds = seconds
  }

  package var members: Members {
    let sum = totals.sum
    var members = Members()
    members.add("imported", sum.imported)
    members.add("skipped", sum.skipped)
    members.add("conflicts", sum[.conflict])
    members.add("rejected", sum[.rejected])
    members.add("rows", sum.rows)
    members.add("bytes", bytes)
    members.add("tables", totals.members)
    members.add("sources", sources.members)
    members.add("findings", findings.members)
    members.add("storeDigest", storeDigest?.hex)
    members.add("exit", Int(exit))
    members.add("seconds", ReportClock.seconds(seconds))
    return members
  }
}

/// How many sources had which end.
package struct SourceCount: Hashable, Sendable {
  package var taken = 0
  package var known = 0
  package var refused = 0

  package init() {}

  var members: Members {
    var members = Members()
    members.add("taken", taken)
    members.add("known", known)
    members.add("refused", refused)
    return members
  }
}
