import Foundation
import TestSupport
import Testing

/// The standard corpus of SQLite forensics, scored by a program that shares nothing with the
/// product.
@Suite struct ForensicCorpusTests {
  @Test("live rows, deleted rows and precision", .shared("corpora/nemetz-v1"), .containerTools)
  func score() throws {
    let folder = try TemporaryDirectory()
    let result = try Python.run(
      program: try Tools.text("score_nemetz.py"),
      [Shared.path("corpora/nemetz-v1"), Product.rasdkit, folder.path]
    )
    try #require(result.status == 0, "\(result.errorText)")
    print(result.outputText)
    let last = try #require(result.lines.last)
    let sums = try #require(
      try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Int]
    )
    let (found, wrong) = (sums["found"] ?? 0, sums["wrong"] ?? 0)
    #expect(sums["deleted"] == 278)
    #expect(found >= 210)
    #expect(Double(found) >= 0.98 * Double(found + wrong))
    #expect(sums["live called deleted"] == 0)
    #expect(sums["live missing"] == 0)
    #expect(sums["live"] ?? 0 > 500)
  }

  @Test("corrupt images end in rows or a reason", .shared("corpora/sqlite-corrupt"))
  func corruptImages() throws {
    let folder = try TemporaryDirectory()
    let corpus = Shared.path("corpora/sqlite-corrupt")
    let names = try FileManager.default.contentsOfDirectory(atPath: corpus)
      .filter { $0.hasSuffix(".db") }.sorted()
    try #require(names.count > 200)
    var statuses: [Int32: Int] = [:]
    for name in names {
      let result = try Product.run(
        [
          "salvage", "--profile", "generic", "--quiet", "--to", folder.path + "/" + name,
          corpus + "/" + name,
        ],
        timeout: .seconds(60)
      )
      #expect(result.signal == nil, "\(name) ended by a signal")
      #expect(
        [0, 1, 3, 12].contains(result.status),
        "\(name): \(result.status) \(result.errorText)"
      )
      #expect(result.peakKiB < 256 << 10, "\(name): \(result.peakKiB) KiB")
      statuses[result.status, default: 0] += 1
    }
    print("corrupt images by exit status: \(statuses.sorted { $0.key < $1.key })")
    #expect(statuses[0, default: 0] + statuses[1, default: 0] > 100)
  }
}
