import Glibc

@main
struct Entry {
  static let benchmarks: [(name: String, run: @Sendable () async throws -> [Finding])] = [
    ("rows", RowBenchmark.run),
    ("store", StoreBenchmark.run),
    ("consolidate", ConsolidateBenchmark.run),
    ("cores", CoresBenchmark.run),
    ("memory", MemoryBenchmark.run),
    ("pages", PagesBenchmark.run),
    ("recover", RecoverBenchmark.run),
    ("beat", BeatBenchmark.run),
  ]

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "samples" where arguments.count == 2:
      try FleetSample(root: arguments[1] + "/fleet").make()
      try ReplacedSample(root: arguments[1] + "/replaced").make()
      try IncidentSample(
        root: arguments[1] + "/incident",
        profile: "Recipes/profiles/rasd-native.json"
      ).make()
      try DocumentCacheSample(root: arguments[1] + "/openkeep-cache").make()
      try GuidebookSample(root: arguments[1] + "/guidebook-mirror").make()
      try PluginValuesSample(root: arguments[1] + "/device-only-kv").make()
    case "help", "--help": usage()
    default: try await measure(arguments)
    }
  }

  private static func measure(_ names: [String]) async throws {
    let chosen = benchmarks.filter { names.isEmpty || names.contains($0.name) }
    guard !chosen.isEmpty else {
      usage()
      exit(2)
    }
    print("| what | measured | asked for | met |\n|---|---|---|---|")
    var allMet = true
    for benchmark in chosen {
      for finding in try await benchmark.run() {
        print(finding.line)
        allMet = allMet && finding.isMet
      }
    }
    exit(allMet ? 0 : 1)
  }

  private static func usage() {
    print(
      """
      rasdkit-bench [NAME…]          measure; all of: \(benchmarks.map(\.name).joined(separator: " "))
      rasdkit-bench samples FOLDER   write the sample fleet, device and incident anew
      """
    )
  }
}
