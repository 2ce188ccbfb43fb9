import Glibc
import RasdCrypto
import RasdModel

/// A secret for the day all other keys are lost: made here, shown once, on a terminal, kept by
/// a person on paper.
struct RecoverySecret {
  let key: RawKey
  private let terminal: Int32

  /// - Throws: before anything is made where it could not be shown.
  init(_ console: Console) throws(UsageError) {
    terminal = unsafe open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else {
      throw UsageError(
        "--recovery shows its secret on a terminal, and there is none",
        hint: "run it at a terminal, or give --to-passphrase-file, --to-key-file or --to-recipient"
      )
    }
    key = RawKey(SecureRandom.secret(RawKey.size))
  }

  /// Shows it as 64 hexadecimal digits in groups, as a key file takes them without the spaces.
  func show() {
    let text = Secret(capacity: 256) { output in
      for byte in Array("Recovery key, shown only now. Keep it on paper:\n\n  ".utf8) {
        output.append(byte)
      }
      for i in key.secret.bytes.indices {
        if i > 0, i % 4 == 0 { output.append(UInt8(ascii: " ")) }
        for digit in Array(Hex.encode([key.secret.bytes[i]]).utf8) { output.append(digit) }
      }
      for byte in Array("\n\n".utf8) { output.append(byte) }
    }
    _ = ByteOutput.write(text.bytes, to: terminal)
    close(terminal)
  }
}
