import Foundation
import Glibc

/// A program run by a test, with its output, its exit and its peak memory.
package final class ChildProcess: Sendable {
  package struct Result: Sendable {
    /// The exit status, or 128 and the signal's number as a shell counts.
    package let status: Int32
    /// The signal that ended it, nil where it exited by itself.
    package let signal: Int32?
    package let output: [UInt8]
    package let errors: [UInt8]
    /// The largest resident set, in KiB.
    package let peakKiB: Int

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
    package var lines: [String] {
      outputText.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
  }

  /// What the program may use; nil is no limit.
  ///
  /// Core dumps are off unless asked for.
  package struct Limits: Sendable {
    package var addressSpaceKiB: Int?
    package var cpuSeconds: Int?
    package var fileBlocks: Int?
    package var openFiles: Int?
    package var coreDumps = false

    package init(
      addressSpaceKiB: Int? = nil,
      cpuSeconds: Int? = nil,
      fileBlocks: Int? = nil,
      openFiles: Int? = nil,
      coreDumps: Bool = false
    ) {
      self.addressSpaceKiB = addressSpaceKiB
      self.cpuSeconds = cpuSeconds
      self.fileBlocks = fileBlocks
      self.openFiles = openFiles
      self.coreDumps = coreDumps
    }

    /// The same as `ulimit` words of a shell.
    fileprivate var script: String {
      var words = ["cd \"$1\"", "shift"] + (coreDumps ? [] : ["ulimit -c 0"])
      if let addressSpaceKiB { words.append("ulimit -v \(addressSpaceKiB)") }
      if let cpuSeconds { words.append("ulimit -t \(cpuSeconds)") }
      if let fileBlocks { words.append("ulimit -f \(fileBlocks)") }
      if let openFiles { words.append("ulimit -n \(openFiles)") }
      return (words + ["exec \"$@\""]).joined(separator: " && ")
    }
  }

  package struct StartFailed: Error {
    package let executable: String
    package let errno: Int32
  }

  package let pid: Int32
  private let output: Int32
  private let errors: Int32

  /// Starts `executable`; `environment` is added to the test's own.
  package init(
    _ executable: String,
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String] = [:],
    directory: String? = nil,
    limits: Limits = Limits()
  ) throws {
    let input = try Self.namelessFile(holding: input)
    defer { close(input) }
    output = try Self.namelessFile(holding: [])
    errors = try Self.namelessFile(holding: [])

    let words = ["/bin/sh", "-c", limits.script, "sh", directory ?? ".", executable] + arguments
    let variables = ProcessInfo.processInfo.environment
      .merging(environment) { _, added in added }.map { "\($0)=\($1)" }
    pid = try Self.spawn(
      words,
      variables,
      directory: directory,
      descriptors: [input, output, errors]
    )
  }

  deinit {
    close(output)
    close(errors)
  }

  /// Runs a program to its end; one that is still running after `timeout` is killed.
  package static func run(
    _ executable: String,
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String] = [:],
    directory: String? = nil,
    limits: Limits = Limits(),
    timeout: Duration = .seconds(300)
  ) throws -> Result {
    let child = try ChildProcess(
      executable,
      arguments,
      input: input,
      environment: environment,
      directory: directory,
      limits: limits
    )
    return child.wait(timeout: timeout)
  }

  package func send(signal: Int32) { kill(pid, signal) }

  /// Whether it has not ended yet; asking does not take the place of `wait`.
  package var isRunning: Bool {
    var state = unsafe siginfo_t()
    guard unsafe waitid(P_PID, id_t(pid), &state, WEXITED | WNOHANG | WNOWAIT) == 0 else {
      return false
    }
    return unsafe state.si_signo == 0
  }

  /// What it has written so far, for tests that act on a line as it appears.
  package var outputSoFar: [UInt8] { Self.contents(of: output) }
  package var errorsSoFar: [UInt8] { Self.contents(of: errors) }

  /// Waits for its end, once; after `timeout` it is killed, which the result's signal shows.
  package func wait(timeout: Duration = .seconds(300)) -> Result {
    let deadline = ContinuousClock.now + timeout
    var raw: Int32 = 0
    var peak = 0
    var pause: UInt32 = 200
    while unsafe waitpid(pid, &raw, WNOHANG) == 0 {
      peak = max(peak, peakKiBSoFar)
      if ContinuousClock.now > deadline { kill(pid, SIGKILL) }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
    let signal = raw & 0x7F
    return Result(
      status: signal == 0 ? (raw >> 8) & 0xFF : 128 + signal,
      signal: signal == 0 ? nil : signal,
      output: outputSoFar,
      errors: errorsSoFar,
      peakKiB: peak
    )
  }
}

extension ChildProcess {
  /// The high-water mark of its own memory: what `wait4` tells counts this process's, from before
  /// the child became the other program.
  private var peakKiBSoFar: Int {
    // Until then it shares this process's memory, and would be charged for it. Asked first: the
    // numbers that follow are then its own.
    guard program(of: "\(pid)") != program(of: "self"),
      let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }

  private func program(of process: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
  }

  /// A file without a name: no pipe that fills up, no thread to drain it.
  private static func namelessFile(holding bytes: [UInt8]) throws -> Int32 {
    let path = NSTemporaryDirectory() + "/rasdkit-child-\(UInt64.random(in: .min ... .max))"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StartFailed(executable: path, errno: errno) }
    unsafe unlink(path)
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw StartFailed(executable: path, errno: errno) }
      done += count
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  private static func contents(of descriptor: Int32) -> [UInt8] {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(facts.st_size)) { buffer, count in
      unsafe count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  private static func spawn(
    _ words: [String],
    _ variables: [String],
    directory: String?,
    descriptors: [Int32]
  ) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }

    let argv = unsafe words.map { unsafe strdup($0) } + [nil]
    let envp = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (argv + envp).forEach { unsafe free($0) } }
    var pid: Int32 = 0
    let failure = unsafe posix_spawn(&pid, words[0], &actions, nil, argv, envp)
    guard failure == 0 else { throw StartFailed(executable: words[5], errno: failure) }
    return pid
  }
}
