import Glibc
import RasdCrypto
import RasdModel
import RasdPipeline

/// Asks for a passphrase on the terminal itself, without echo, whatever the standard streams
/// are connected to.
enum Prompt {
  /// Longer than anybody types, short enough to stand in locked memory.
  private static let limit = 1024
  /// What Ctrl-C sends.
  private static let interruptCharacter: UInt8 = 3

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
    unsafe tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &before)
      tell("\n", terminal)
    }
    tell(prompt, terminal)
    var wasCancelled = false
    let line = Secret(capacity: limit) { output in
      var byte: UInt8 = 0
      while output.count < limit, unsafe Glibc.read(terminal, &byte, 1) == 1 {
        wasCancelled = byte == interruptCharacter
        if byte == UInt8(ascii: "\n") || wasCancelled { break }
        output.append(byte)
      }
    }
    do {
      guard !wasCancelled else { throw KeyFault(.empty) }
      return try Passphrase(line.bytes)
    } catch {
      throw RasdError(.keyUnavailable, .noKeyGiven)
    }
  }

  private static func tell(_ text: String, _ terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe write(terminal, bytes, bytes.count)
  }
}
