import CLibFuzzer
import Glibc

/// Set once, before libFuzzer starts its only thread: a C callback carries no context.
nonisolated(unsafe) private var target: @Sendable (Span<UInt8>) -> Void = { _ in }

/// `rasdkit-fuzz` lists the targets; `rasdkit-fuzz NAME [libFuzzer's options and folders]` runs one.
@main
struct Entry {
  static func main() {
    guard CommandLine.arguments.count > 1 else {
      for name in targets.keys.sorted() { print(name) }
      return
    }
    guard let chosen = targets[CommandLine.arguments[1]] else {
      print("no such target: \(CommandLine.arguments[1])")
      exit(2)
    }
    unsafe target = chosen
    var count = CommandLine.argc - 1
    var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv.advanced(by: 1)
    let status = unsafe LLVMFuzzerRunDriver(&count, &words) { bytes, count in
      guard let bytes = unsafe bytes else { return 0 }
      unsafe target(Span(_unsafeStart: bytes, count: count))
      return 0
    }
    exit(status)
  }
}
