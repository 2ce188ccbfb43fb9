import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdPipeline

@main
struct Entry {
  static func main() {
    // A bundle's hostile bytes are read by another of this program, before it becomes anything.
    Unpacker.runIfAsked()
    ProcessHardening.apply()
    // Whatever is written is for its owner alone, files that libraries make among it.
    umask(0o077)
    let console = Console()
    exit(Dispatch(console: console).run(CommandLine.arguments.dropFirst()).rawValue)
  }
}
