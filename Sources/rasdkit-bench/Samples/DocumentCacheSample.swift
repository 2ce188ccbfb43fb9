import RasdCrypto
import RasdModel
import SQLCipherKit

/// An app's cache of documents: page 1 is lost, a chunk was never fetched, a page of another is
/// zeros, and one document has a chunk but no row.
struct DocumentCacheSample {
  let root: String

  private static let chunkBytes = 524_288

  private struct Document {
    let id: String
    let title: String
    let pinned: Bool
    let fetchedAt: String
    let bytes: [UInt8]
    /// Whether its first chunk was fetched, and whether its row was written.
    var hasBeginning = true
    var hasRow = true

    var chunks: Range<Int> {
      let count = (bytes.count + chunkBytes - 1) / chunkBytes
      return (hasBeginning ? 0 : 1)..<count
    }

    func chunk(_ number: Int) -> [UInt8] {
      Array(bytes[(number * chunkBytes)..<min((number + 1) * chunkBytes, bytes.count)])
    }

    var row: JSONValue {
      [
        "id": .string(id), "title": .string(title), "mime": "text/plain",
        "bytes": SampleTruth.number(bytes.count),
        "sha256": .string(SHA256.digest(bytes.span).hex),
        "etag": pinned ? nil : .string("W/\"\(id.prefix(8))\""), "fetched_at": .string(fetchedAt),
        "pinned": pinned ? 1 : 0,
      ]
    }
  }

  private static func documents() -> [Document] {
    var dice = Dice(731)
    let sentences = [
      "Rinse the filter until the water runs clear, then note the hour.",
      "Keep the lid shut; a reading taken with it open is worth nothing.",
      "If the needle does not come to rest, wait for a minute and read again.",
      "Two people sign the sheet, the one who counted and the one who watched.",
      "دليل الصيانة: أغلق الصمام قبل أن تفتح الغطاء.",
    ]
    func document(_ number: Int, _ title: String, bytes count: Int) -> Document {
      var text: [UInt8] = []
      var line = 0
      while text.count < count {
        line += 1
        text += Array("\(title), line \(line): \(sentences[line % sentences.count])\n".utf8)
      }
      return Document(
        id: dice.uuid(at: 1_788_760_800_000 + UInt64(number) * 3_600_000),
        title: title,
        pinned: number % 3 == 0,
        fetchedAt: "2026-09-0\(number + 1)T06:15:00.000Z",
        bytes: Array(text.prefix(count))
      )
    }
    var documents = [
      document(0, "Pump manual", bytes: 524_288 + 31_007),
      document(1, "Cold chain handbook", bytes: 524_288 + 12_345),
      document(2, "Survey guide", bytes: 60_000),
      document(3, "كتيب العيادة", bytes: 9_001),
      document(4, "Price list", bytes: 700),
      document(5, "Nothing yet", bytes: 0),
      document(6, "Route sheet", bytes: 5_432),
    ]
    documents[1].hasBeginning = false
    documents[6].hasRow = false
    return documents
  }

  func make() throws {
    let documents = Self.documents()
    var truth = SampleTruth()
    try OutputFile.makeFolder("\(root)/device")
    let database = try MadeDatabase(
      plain: "\(root)/work.db",
      profile: "Recipes/profiles/openkeep-cache.json"
    )
    for (key, value) in [("last_sweep", "2026-09-08T04:00:00Z"), ("quota", "268435456")] {
      let row: JSONValue = [
        "key": .string(key), "value": .string(value), "updated_at": "2026-09-08T04:00:01.000Z",
      ]
      try database.insert(into: "cache_state", row)
      truth.add("cache_state", row, .plausible)
    }
    for document in documents {
      if document.hasRow { try database.insert(into: "documents", document.row) }
      for number in document.chunks { try insert(number, of: document, into: database) }
    }
    var pages = SamplePages(bytes: try database.finish())
    pages.zeroPage(at: 0)
    let broken = documents[2]
    let there = "\(broken.title), line 400:"
    let page = try pages.page(of: there)
    // The bytes of an overflow page follow the number of the next.
    let end =
      try SamplePages.offset(of: there, in: broken.bytes)
      - (SamplePages.offset(of: there, in: pages.bytes) - page - 4)
    pages.zeroPage(at: page)
    try OutputFile.write(pages.bytes, to: "\(root)/device/openkeep.db")

    for document in documents {
      var hole = document.hasBeginning ? 0..<0 : 0..<Self.chunkBytes
      if document.id == broken.id { hole = end..<document.bytes.count }
      var file = document.bytes
      for at in hole { file[at] = 0 }
      truth.add(file: "documents/\(document.id)", file)
      if document.hasRow {
        let grade: Grade = hole.isEmpty ? .verified : .partial
        truth.add("documents", document.row, grade, holes: hole.isEmpty ? [] : [hole])
      }
      for number in document.chunks {
        var row: JSONValue = [
          "document_id": .string(document.id), "seq": SampleTruth.number(number),
          "data": SampleTruth.blob(document.chunk(number)),
        ]
        let isBroken = document.id == broken.id
        if isBroken { row = .object((row.members ?? []).filter { $0.name != "data" }) }
        truth.add("document_chunks", row, isBroken ? .partial : .plausible)
      }
    }
    try truth.write(to: root)
  }

  private func insert(
    _ number: Int,
    of document: Document,
    into database: MadeDatabase
  ) throws {
    let statement = try database.connection.statement(
      "INSERT INTO document_chunks (document_id, seq, data) VALUES (?, ?, ?)"
    )
    let bytes = document.chunk(number)
    try statement.bind(1, text: document.id)
    try statement.bind(2, Int64(number))
    try statement.bind(3, blob: bytes.span)
    try statement.run()
    statement.reset()
  }
}
