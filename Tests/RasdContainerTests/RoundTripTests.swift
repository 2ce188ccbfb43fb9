import RasdContainer
import RasdCrypto
import RasdModel
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Suite.allCases, [1, 2, 3])
  func readsBackWhatWasWritten(_ suite: Suite, workers: Int) throws {
    let folder = try TemporaryDirectory()
    let sample = try Sample.small(suite)
    let end = try sample.write(to: folder.file("a.rasdx"))
    let (content, result) = try Content.read(folder.file("a.rasdx"), workers: workers)
    #expect(result.failures == [])
    #expect(result.isWhole)
    #expect(result.badBlobs == [])
    #expect(result.end == end)
    #expect(result.blobs == end.blobs)
    #expect(result.meta?.exportSeq == 3)
    #expect(
      content.rows
        == Dictionary(
          uniqueKeysWithValues: sample.tables.compactMap { table in
            sample.rows[table].map { (table.text, $0) }
          }
        ).merging(["kv": []]) { a, _ in a }
    )
    for blob in sample.blobs {
      #expect(content.blobs[blob.id] == blob.bytes)
      #expect(content.digests[blob.id] == SHA256.digest(blob.bytes.span).hex)
    }
  }
}
