import RasdModel
import RasdReport
import RasdSalvage

/// What the files of some evidence were before anything was read of them.
struct EvidenceSeals: Sendable {
  let all: [EvidenceSeal]
  private let files: [EvidenceFile]

  /// Hashes every file, the evidence's own first.
  init(of files: [EvidenceFile]) throws(RasdError) {
    var seals: [EvidenceSeal] = []
    for file in files { seals.append(try file.seal()) }
    (all, self.files) = (seals, files)
  }

  /// Of the file that the others belong to.
  var first: EvidenceSeal { all[0] }

  /// The files that are not what they were, which somebody else must have done.
  func changed() throws(RasdError) -> [String] {
    var paths: [String] = []
    for (file, seal) in zip(files, all) where try file.seal() != seal { paths.append(seal.path) }
    return paths
  }

  static func changed(_ all: [EvidenceSeals]) throws(RasdError) -> [String] {
    var paths: [String] = []
    for seals in all { paths += try seals.changed() }
    return paths
  }

  /// Says so where a file has changed.
  func prove(_ run: Run) throws(RasdError) { try Self.say(try changed(), run) }

  static func say(_ changed: [String], _ run: Run) throws(RasdError) {
    for path in changed {
      try run.find(
        FindingEvent(.error, .sourceChanged, code: .integrity, subject: ["path": .text(path)])
      )
    }
  }

  /// Does `work` while `hashing` goes on, on a thread of its own where the run has more than one.
  static func beside<Hashed: Sendable, Got>(
    _ run: Run,
    _ hashing: @escaping @Sendable () throws(RasdError) -> Hashed,
    _ work: () throws(RasdError) -> Got
  ) throws(RasdError) -> (Hashed, Got) {
    guard run.rules.jobs > 1 else { return (try hashing(), try work()) }
    let aside = Aside { Result { () throws(RasdError) in try hashing() } }
    // The thread may not outlive this, whatever comes of the work.
    let got = Result { () throws(RasdError) in try work() }
    return (try aside.wait().get(), try got.get())
  }
}
