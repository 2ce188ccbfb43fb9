import Glibc
import RasdCrypto
import RasdModel
import RasdPipeline
import Synchronization

/// Asks for a passphrase on the terminal itself, without echo, whatever the standard streams
/// are connected to.
enum Prompt {
  /// Longer than anybody types, short enough to stand in locked memory.
  private static let limit = 1024
  /// What Ctrl-C sends.
  private static let interruptCharacter: UInt8 = 3
  /// How soon a signal ends the asking, in milliseconds.
  private static let patience: Int32 = 50
  private static let isGivenUp = Atomic<Bool>(false)

  /// Ends the asking, now and later: the run was told to stop.
  static func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

  static func ask(_ question: KeyQuestion) throws(RasdError) -> Passphrase {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else {
      switch question {
      case .sources: throw RasdError(.keyUnavailable, .noTerminal)
      case .store(let path), .newStore(let path):
        throw RasdError(.keyUnavailable, .noTerminal, ["path": .text(path)])
      }
    }
    defer { close(terminal) }
    switch question {
    case .sources:
      return try read("Passphrase of the sources: ", terminal)
    case .store(let path):
      return try read("Passphrase of the store \(SafeText.escape(path)): ", terminal)
    case .newStore(let path):
      let first = try read("New passphrase of the store \(SafeText.escape(path)): ", terminal)
      let second = try read("The same again: ", terminal)
      guard first.normalized.equals(second.normalized.bytes) else {
        throw RasdError(.keyUnavailable, .passphrasesDiffer)
      }
      return first
    }
  }

  private static func read(_ prompt: String, _ terminal: Int32) throws(RasdError) -> Passphrase {
    var before = termios()
    guard unsafe tcgetattr(terminal, &before) == 0 else {
      throw RasdError(.keyUnavailable, .noTerminal)
    }
    var silent = before
    // Ctrl-C is read as a character, so that it leaves the terminal as it was.
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    // It ends a line: nobody has to press Enter after it.
    unsafe withUnsafeMutableBytes(of: &silent.c_cc) { unsafe $0[Int(VEOL)] = interruptCharacter }
    unsafe tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &before)
      tell("\n", terminal)
    }
    tell(prompt, terminal)
    var wasCancelled = false
    let line = Secret(capacity: limit) { output in
      var byte: UInt8 = 0
      while output.count < limit, waitForLine(terminal),
        unsafe Glibc.read(terminal, &byte, 1) == 1
      {
        wasCancelled = byte == interruptCharacter
        if byte == UInt8(ascii: "\n") || wasCancelled { break }
        output.append(byte)
      }
    }
    if isGivenUp.load(ordering: .relaxed) { throw RasdError(.unavailable, .interrupted) }
    do {
      guard !wasCancelled else { throw KeyFault(.empty) }
      return try Passphrase(line.bytes)
    } catch {
      throw RasdError(.keyUnavailable, .noKeyGiven)
    }
  }

  /// Waits until something was typed; false where nobody waits for it any more.
  private static func waitForLine(_ terminal: Int32) -> Bool {
    var state = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    while !isGivenUp.load(ordering: .relaxed) {
      if unsafe poll(&state, 1, patience) != 0 { return true }
    }
    return false
  }

  private static func tell(_ text: String, _ terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe write(terminal, bytes, bytes.count)
  }
}
