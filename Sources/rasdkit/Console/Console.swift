import Glibc
import RasdCrypto
import RasdModel
import RasdPipeline
import RasdReport
import Synchronization

/// Where a command speaks: results to standard output, words for a person to standard error.
final class Console: Sendable {
  let output = Terminal(descriptor: STDOUT_FILENO)
  let errors = Terminal(descriptor: STDERR_FILENO)
  /// One writer at a time, so that a line is never cut by the progress line.
  private let progressLine = Mutex("")
  /// Why a result could not be written to standard output: the system's error number, or 0.
  private let lostResult = Atomic<Int32>(0)

  /// Writes to standard error as it is.
  func tell(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

  /// Says that the tool itself is wrong.
  func defect(_ text: String) { say("error", .error, "\(SafeText.escape(text)) [defect]") }

  /// Writes a result as it is.
  func print(_ text: String) {
    writeResult(Array(text.utf8))
  }

  /// Writes a result as one line of JSON.
  func print(_ members: Members) {
    writeResult(SafeText.escape(json: members.object.text) + [UInt8(ascii: "\n")])
  }

  func fail(_ failure: RasdError) {
    say("error", .error, ErrorText.line(failure))
  }

  func fail(_ failure: UsageError) {
    say("error", .error, "\(failure.problem) [usage]")
    if let words = failure.hint { hint(words) }
  }

  func error(_ text: String) { say("error", .error, text) }

  func warn(_ text: String) { say("warning", .warning, text) }

  func hint(_ text: String) { say("hint", .hint, text) }

  /// Says something that is neither an error nor a hint.
  func note(_ text: String) { line("rasdkit: \(text)") }

  /// A line for a program that watches standard error.
  func raw(_ text: String) { line(text) }

  /// Asks on the terminal while nothing else is shown.
  func ask(_ question: KeyQuestion) throws(RasdError) -> Passphrase {
    let answer = progressLine.withLock { _ in
      Result { () throws(RasdError) in try Prompt.ask(question) }
    }
    return try answer.get()
  }

  private func say(_ kind: String, _ role: Terminal.Role, _ text: String) {
    line("rasdkit: \(errors.paint("\(kind):", role)) \(text)")
  }

  private func line(_ text: String) {
    progressLine.withLock { shown in
      let clear = shown.isEmpty ? "" : "\r\u{1B}[K"
      write(Array("\(clear)\(text)\n\(shown)".utf8), to: STDERR_FILENO)
    }
  }

  /// Replaces the progress line; an empty text takes it away.
  func redraw(_ text: String) {
    progressLine.withLock { shown in
      guard text != shown else { return }
      shown = text
      write(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
    }
  }

  private func writeResult(_ bytes: [UInt8]) {
    // A reader that went away wants no more; nobody is left to be told.
    guard let number = ByteOutput.write(bytes.span, to: STDOUT_FILENO), number != EPIPE else {
      return
    }
    lostResult.store(number, ordering: .relaxed)
  }

  /// What the process ends with: `status`, unless all was well but its result was not written.
  func settled(_ status: ExitStatus) -> ExitStatus {
    let number = lostResult.load(ordering: .relaxed)
    guard number != 0 else { return status }
    let failure = RasdError.system(number, path: "standard output")
    fail(failure)
    return status == .success ? ExitStatus(of: failure) : status
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    // What can't be said can't be complained of either.
    _ = ByteOutput.write(bytes.span, to: descriptor)
  }
}
