import Glibc
import RasdCrypto
import RasdModel
import RasdPipeline

@main
struct Entry {
  static func main() {
    ProcessHardening.apply()
    let console = Console()
    exit(Dispatch(console: console).run(CommandLine.arguments.dropFirst()).rawValue)
  }
}
