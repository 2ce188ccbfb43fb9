import Glibc
import RasdModel
import RasdPipeline
import RasdReport

/// One command that does work: sets up its report, its progress and its signals, runs the
/// job and shows what came of it.
struct Session {
  let arguments: Arguments
  let console: Console
  let spec: CommandSpec

  init(_ command: any Command.Type, _ arguments: Arguments, _ console: Console) {
    spec = command.spec
    self.arguments = arguments
    self.console = console
  }

  /// Runs `job` and shows its result, also after part of it failed.
  func run<Result: Presentable>(_ job: (Run) throws(RasdError) -> Result) throws -> ExitStatus {
    Watch.blockSignals()
    let progress = Progress()
    let interrupt = Interrupt()
    let voice = Voice(console, isSalvage: spec.name == SalvageCommand.spec.name)
    let run = Run(
      rules: rules,
      progress: progress,
      interrupt: interrupt,
      report: try openReport(),
      ask: console.ask,
      tell: voice.hear
    )
    try run.begin(command: spec.name, policy: policy, recipe: arguments.recipe)
    let watch = Watch(console: console, progress: progress, interrupt: interrupt, style: style)
    do throws(RasdError) {
      let result = try watch.during { () throws(RasdError) in try job(run) }
      let status = try run.finish()
      show(result, status)
      voice.close()
      if rules.writing == .dry { console.note("a dry run: nothing was written") }
      if interrupt.requested { console.hint("run the same command again to go on") }
      return status
    } catch {
      voice.close()
      console.fail(error)
      return try run.finish(error)
    }
  }

  private func show(_ result: some Presentable, _ status: ExitStatus) {
    if arguments.has(Options.json) {
      var members = result.members
      members.add("exit", Int(status.rawValue))
      console.print(members)
    } else if arguments.value(Options.report) == "-" {
      console.tell(result.text(console.errors))
    } else {
      console.print(result.text(console.output))
    }
  }

  private var rules: RunRules {
    var rules = RunRules()
    if arguments.value(Options.rows) == "all" { rules.rows = .all }
    if arguments.has(Options.dryRun) { rules.writing = .dry }
    if arguments.has(Options.strict) { rules.strictness = .warnings }
    if arguments.has(Options.includeValues) { rules.values = .shown }
    if arguments.has(Options.reproducible) { rules.clock = .reproducible }
    rules.jobs = max(1, arguments.number(Options.jobs) ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    return rules
  }

  private var style: ProgressStyle {
    .chosen(
      quiet: arguments.has(Options.quiet),
      json: arguments.value(Options.progress) == "json",
      terminal: console.errors
    )
  }

  private func openReport() throws(RasdError) -> ReportWriter? {
    guard let path = arguments.value(Options.report) else { return nil }
    let clock: ReportClock = arguments.has(Options.reproducible) ? .reproducible : .real
    if path == "-" { return ReportWriter(descriptor: STDOUT_FILENO, clock: clock) }
    return try ReportWriter(path: path, clock: clock)
  }

  /// The options that decide what a run does; never one that names a key.
  static func policyOptions(of spec: CommandSpec) -> [Option] {
    let keys = Options.sourceKeys.options + Options.storeKeys.options + Options.recipients.options
    let hidden = keys + Options.speech.options + [SalvageCommand.salt, SalvageCommand.fieldKey]
    let shown = [
      Options.allowPlaintext, Options.store, Options.toPlaintext, Options.strict, Options.rows,
    ]
    let names = Set(hidden.map(\.name)).subtracting(shown.map(\.name))
    return spec.options.filter { !names.contains($0.name) }
  }

  /// What was given of them, by name.
  private var policy: Members {
    var policy = Members()
    for option in Self.policyOptions(of: spec) where arguments.has(option) {
      let name = String(option.name.dropFirst(2))
      switch (option.value, option.times) {
      case (.nothing, _): policy.add(name, true)
      case (_, .once): policy.add(name, arguments.value(option))
      case (_, .each): policy.add(name, arguments.values(option))
      }
    }
    return policy
  }
}

/// What a job found, as a person and as a program read it.
protocol Presentable {
  func text(_ terminal: Terminal) -> String
  var members: Members { get }
}
