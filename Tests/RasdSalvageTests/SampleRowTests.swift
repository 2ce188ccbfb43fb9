import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// The rows of SQLCipher's own samples, sound and with a bit flipped in some of their pages.
@Suite("Rows of SQLCipher's samples", .shared("corpora/sqlcipher"))
struct SampleRowTests {
  /// A line of `samples.tsv`: what a file's one table holds.
  struct Sample: Sendable, CustomStringConvertible {
    let file: String
    let key: String
    let hasHMAC: Bool
    let table: String
    let rows: Int
    /// The first 16 digits of the SHA-256 over the rows as Python prints them.
    let hash: String
    var description: String { file }

    init?(line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 12, let table = fields[12].split(separator: " ").first else {
        return nil
      }
      let parts = table.split(separator: ":").map(String.init)
      guard parts.count == 3, let rows = Int(parts[1]) else { return nil }
      (file, key, hasHMAC) = (fields[0], fields[2], fields[7] == "on")
      (self.table, self.rows, hash) = (parts[0], rows, parts[2])
    }
  }

  static let samples: [Sample] = {
    guard let text = try? File.read(Shared.path("corpora/sqlcipher/samples.tsv")) else { return [] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
      .compactMap { Sample(line: $0) }
  }()

  @Test("Tables, counts and rows are those of samples.tsv", arguments: samples)
  func rows(sample: Sample) async throws {
    let database = try File.read(Shared.path("corpora/sqlcipher/" + sample.file))
    let rescue = try await Rescue(database, options: .passphrase(sample.key))
    #expect(rescue.columns.keys.sorted() == ["sqlite_schema", sample.table].sorted())
    let live = rescue.live(sample.table)
    #expect(live.count == sample.rows)
    var printed: [UInt8] = []
    for row in live {
      // Python's tuple of one value ends in a comma.
      let values = row.map(Self.printed).joined(separator: ", ") + (row.count == 1 ? "," : "")
      printed += Array("(\(values))\n".utf8)
    }
    #expect(SHA256.digest(printed.span).hex.hasPrefix(sample.hash))
    let grade: Grade = sample.hasHMAC ? .intact : .plausible
    #expect(rescue.rows.filter { $0.kind == .live }.allSatisfy { $0.grade == grade })
  }

  private static func printed(_ value: Rescue.Value) -> String {
    switch value {
    case .integer(let integer): "\(integer)"
    case .text(let text): "'\(text)'"
    default: "?"
    }
  }

  @Test(
    "One bit flipped in each of 8 pages: the others' rows exact, theirs marked",
    arguments: samples
  )
  func flipped(sample: Sample) async throws {
    let database = try File.read(Shared.path("corpora/sqlcipher/" + sample.file))
    let sound = try await Rescue(database, options: .passphrase(sample.key))
    let size = sound.source.pageSize
    let pages = Int(sound.source.pageCount)
    var random = SeededGenerator()
    var damaged = database
    // The schema of these is a single row, whose loss would leave a table without a name.
    let hit = Set((2...max(2, pages)).shuffled(using: &random).prefix(8))
    for page in hit where page <= pages {
      let at = (page - 1) * size + Int.random(in: 0..<(size - 100), using: &random)
      damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    let rescue = try await Rescue(damaged, options: .passphrase(sample.key))
    func others(_ rescue: Rescue) -> [[Rescue.Value]] {
      rescue.rows.filter { $0.kind.mayEnter && !hit.contains(Int($0.page)) }
        .sorted { ($0.page, $0.rowid ?? 0) < ($1.page, $1.rowid ?? 0) }.map(\.values)
    }
    #expect(others(rescue) == others(sound))
    #expect(rescue.rows.allSatisfy { $0.table == sample.table || hit.contains(Int($0.page)) })
    guard sample.hasHMAC else { return }
    let marked = rescue.rows.filter { hit.contains(Int($0.page)) }
    #expect(marked.allSatisfy { $0.grade < .plausible })
    #expect(marked.count * 2 > sound.rows.count { hit.contains(Int($0.page)) })
    #expect(rescue.rows.filter { !hit.contains(Int($0.page)) }.allSatisfy { $0.grade == .intact })
  }
}
