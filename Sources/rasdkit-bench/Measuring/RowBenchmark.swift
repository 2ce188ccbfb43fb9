import RasdCrypto
import RasdModel

/// Reading rows: JSON, canonical form, SHA-256 and every check, on one core.
struct RowBenchmark {
  static func run() throws -> [Finding] {
    let lines = try BenchInput.lines(submissions: 2_000)
    let bytes = lines.reduce(0) { $0 + $1.count }
    guard let namespace = Namespace("example.u_1") else { return [] }
    var reader = RowReader { SHA256.digest($0) }
    let seconds = try Measure.threadSeconds(rounds: 5) {
      for line in lines {
        Measure.keep(
          try reader.read(line: line.span, table: .submissions, namespace: namespace).hash
        )
      }
    }
    return [
      Finding(
        "rows read with canonical form, SHA-256 and checksum, one core",
        Double(bytes) / seconds / 1e6,
        "MB/s",
        .atLeast(250)
      )
    ]
  }
}
