import CGlibc
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
    // Parts of an export are large and come one after another: their memory is used again
    // rather than given back and asked for anew, page by page.
    for setting in [M_MMAP_THRESHOLD, M_TRIM_THRESHOLD] { mallopt(setting, 32 << 20) }
    let console = Console()
    exit(Dispatch(console: console).run(CommandLine.arguments.dropFirst()).rawValue)
  }
}
