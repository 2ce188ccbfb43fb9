import Glibc
import RasdModel
import RasdPipeline

@main
struct Entry {
  static func main() {
    let console = Console()
    exit(Dispatch(console: console).run(CommandLine.arguments.dropFirst()).rawValue)
  }
}
