import Glibc
import RasdCrypto
import RasdModel
import RasdPipeline

@main
struct Entry {
  static func main() {
    ProcessHardening.apply()
    // Whatever is written is for its owner alone, files that libraries make among it.
    umask(0o077)
    let console = Console()
    exit(Dispatch(console: console).run(CommandLine.arguments.dropFirst()).rawValue)
  }
}
