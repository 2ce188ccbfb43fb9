import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdSalvage

/// Exports that lie in a folder of evidence, whole or damaged: their rows are wanted as those of the
/// databases are.
///
/// A folder gets each of them in a folder of its own, a store each as a source; an export holds one
/// source, so that what lies beside is refused there and the command for it said.
struct ExportsBeside {
  /// Where a salvage's folder has them.
  static let folder = "exports"

  /// Relative to the folder of the evidence.
  let names: [String]
  private let evidence: Evidence

  init(_ evidence: Evidence) {
    self.evidence = evidence
    names = evidence.others.filter {
      (try? FileKind.of(path: "\(evidence.folder)/\($0)")) == .export
    }
  }

  /// Gets out what opens of each.
  func rescue(
    _ credentials: Credentials,
    _ keys: KeyInputs,
    _ target: SalvageJob.Target,
    _ output: SalvageOutput,
    _ options: SalvageJob.Options,
    _ run: Run
  ) throws(RasdError) -> [Rescued] {
    var rescued: [Rescued] = []
    for name in names {
      try run.interrupt.check()
      let path = "\(evidence.folder)/\(name)"
      do throws(RasdError) {
        let place = try place(of: name, in: target, run)
        var options = options
        // What was given for the databases; an export says whose it is.
        if !evidence.databases.isEmpty { options.namespace = nil }
        let job = RescueJob(path: path, keys: keys, to: place, options: options)
        rescued.append(try job.rescue(credentials, output.sealed, run))
      } catch  where error.reason == .exportBeside {
        try run.refuse(path, error, help: ["rasdkit", "salvage", path])
      } catch  where error.isOfSource {
        try run.refuse(path, error)
      }
    }
    return rescued
  }

  /// Where the one of this name goes.
  private func place(
    of name: String,
    in target: SalvageJob.Target,
    _ run: Run
  ) throws(RasdError) -> SalvageJob.Target {
    switch target {
    case .store: return target
    case .export:
      guard evidence.databases.isEmpty, names.count == 1 else {
        throw RasdError(.unavailable, .exportBeside)
      }
      return target
    case .folder(let folder):
      if run.rules.writing == .real {
        try Outputs.makeFolder(folder)
        try Outputs.makeFolder("\(folder)/\(Self.folder)")
      }
      return .folder("\(folder)/\(Self.folder)/\(JSONLExport.fileName(name))")
    }
  }
}
