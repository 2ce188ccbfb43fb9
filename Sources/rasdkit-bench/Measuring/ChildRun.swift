import Glibc
import RasdModel

/// Another program run to its end, with its time and its peak memory.
struct ChildRun {
  let status: Int32
  let seconds: Double
  /// The largest resident set.
  let peakMiB: Double

  /// Output goes to `output`, or nowhere.
  static func run(_ words: [String], output: String = "/dev/null") throws
    -> ChildRun
  {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(
        &actions,
        descriptor,
        descriptor == STDOUT_FILENO ? output : "/dev/null",
        flags,
        0o600
      )
    }
    let argv = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe argv.forEach { unsafe free($0) } }

    var pid: pid_t = 0
    let start = ContinuousClock.now
    let failure = unsafe posix_spawnp(&pid, words[0], &actions, nil, argv, environ)
    guard failure == 0 else {
      throw RasdError(.unavailable, .ioError, ["program": .text(words[0])])
    }
    var raw: Int32 = 0
    var peak = 0.0
    while unsafe waitpid(pid, &raw, WNOHANG) == 0 {
      peak = max(peak, peakMiB(of: pid))
      usleep(2_000)
    }
    let signal = raw & 0x7F
    return ChildRun(
      status: signal == 0 ? (raw >> 8) & 0xFF : 128 + signal,
      seconds: (ContinuousClock.now - start) / .seconds(1),
      peakMiB: peak
    )
  }

  /// The largest resident set so far: what `wait4` tells counts this process's own, from before
  /// the child became the other program.
  private static func peakMiB(of pid: pid_t) -> Double {
    guard let status = try? OutputFile.readStream("/proc/\(pid)/status"),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return (Double(line.filter(\.isNumber)) ?? 0) / 1024
  }

  /// The product's program, which is built beside this one.
  static func rasdkit(_ arguments: [String]) throws -> ChildRun {
    let run = try run([Self.beside + "rasdkit"] + arguments)
    guard run.status <= 1 else {
      throw RasdError(
        .unavailable,
        .ioError,
        ["command": .text(arguments.joined(separator: " ")), "status": .number(Int64(run.status))]
      )
    }
    return run
  }

  private static let beside: String = {
    let own = CommandLine.arguments.first ?? ""
    return own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
  }()
}
