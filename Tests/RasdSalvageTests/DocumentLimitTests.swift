import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// More chunks than may stand in memory: documents are joined whole or not at all.
@Suite struct DocumentLimitTests {
  private static func chunk(_ document: UInt64, _ number: Int64) -> Chunk {
    Chunk(
      document: document,
      offset: number * 512,
      page: 2,
      cell: 8,
      start: 0,
      available: 512,
      length: 512,
      tables: 0,
      isInterior: false,
      grade: .intact,
      kind: .live
    )
  }

  @Test func documentsAreLeftOutWhole() throws {
    var generator = SeededGenerator(seed: 7)
    let documents = (0..<100).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    let all = documents.flatMap { document in (0..<10).map { Self.chunk(document, $0) } }
      .shuffled(using: &generator)
    var index = ChunkIndex(limit: 300)
    for start in stride(from: 0, to: all.count, by: 7) {
      let found = Array(all[start..<min(start + 7, all.count)])
      index.add(found, of: found.count)
      #expect(index.chunks.count <= 300)
    }
    index.sort()
    #expect(index.seen == 1000 && index.unjoined + index.chunks.count == 1000)
    let joined = documents.filter { index.isJoined($0) }
    #expect(joined.count > 5 && joined.count <= 30)
    for document in documents {
      #expect(index.of(document).count == (index.isJoined(document) ? 10 : 0))
    }
  }

  @Test func whatIsLeftOutIsNotCalledIncomplete() async throws {
    let whole = try await Self.salvaged(limit: 1000)
    let some = try await Self.salvaged(limit: 4)
    #expect(whole.unjoined == 0 && some.unjoined > 0)
    #expect(some.candidates == whole.candidates)
    #expect(some.documents.chunks == whole.documents.chunks)
    #expect(some.documents.joined + some.unjoined == whole.documents.joined)
    #expect(some.documents.partial <= whole.documents.partial)
    #expect(some.documents.count < whole.documents.count)
  }

  private struct Salvaged {
    let documents: SalvageLedger.Documents
    let candidates: Int
    let unjoined: Int
  }

  /// What is said of the sample with so many chunks in memory at most.
  private static func salvaged(limit: Int) async throws -> Salvaged {
    let database = try File.read(Checkout.path("Samples/openkeep-cache/device/openkeep.db"))
    let text = try File.read(Checkout.path("Recipes/profiles/openkeep-cache.json"))
    let profile = try Profile(json: text.span)
    let source = try PageSource.open(
      database: ByteStore(database),
      wals: [],
      journals: [],
      options: .init()
    )
    let namespace = try #require(Namespace("example.u_1"))
    var options = Salvage.Options(namespace: namespace)
    options.chunkLimit = limit
    var salvage = Salvage(source, profiles: [profile], options: options)
    try await salvage.survey()
    let ledger = try await salvage.rows { _ in }
    return Salvaged(
      documents: ledger.documents,
      candidates: ledger.candidates,
      unjoined: salvage.unjoinedChunks
    )
  }
}
