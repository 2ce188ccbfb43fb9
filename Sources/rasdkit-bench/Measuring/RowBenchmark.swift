import RasdCrypto
import RasdModel

/// Reading rows on one core: JSON, canonical form and SHA-256, then with every check.
struct RowBenchmark {
  static func run() throws -> [Finding] {
    let lines = try BenchInput.lines(submissions: 2_000)
    let megabytes = Double(lines.reduce(0) { $0 + $1.count }) / 1e6
    guard let namespace = Namespace("example.u_1") else { return [] }

    var tape = JSONTape()
    var canonical: [UInt8] = []
    let reading = try Measure.threadSeconds(rounds: 10) {
      for line in lines {
        try tape.parse(line.span)
        canonical.removeAll(keepingCapacity: true)
        tape.writeCanonical(in: line.span, to: &canonical)
        Measure.keep(SHA256.digest(canonical.span))
      }
    }
    var reader = RowReader { SHA256.digest($0) }
    let checking = try Measure.threadSeconds(rounds: 10) {
      for line in lines {
        let row = try reader.read(line: line.span, table: .submissions, namespace: namespace)
        Measure.keep(row.hash)
      }
    }
    return [
      Finding(
        "JSON read with canonical form and SHA-256, one core",
        megabytes / reading,
        "MB/s",
        .atLeast(250)
      ),
      Finding(
        "the same with checksum and every other check of a row",
        megabytes / checking,
        "MB/s"
      ),
    ]
  }
}
