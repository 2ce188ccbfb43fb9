internal import RasdCrypto
internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

extension Store {
  /// One value that names all that the store holds and shows (the merge rules, §Digest).
  ///
  /// It is SHA-256 over the SHA-256 values, sorted bytewise, of these lines, each ended by LF:
  ///
  ///     observation TAB table TAB key TAB row hash TAB namespaces, sorted, joined by commas
  ///     blob TAB sha256
  ///     pin TAB key TAB clientRev TAB content digest TAB until
  ///
  /// Keys are written as `RowKey.text`, hashes in hex. There is one line for every observation
  /// that an active source delivered, every held blob, and every decision whose version is
  /// among the observations. Sources, quarantine and times of ingest are in none.
  package func digest() throws(RasdError) -> SHA256Digest {
    var digest = DigestPasses(lines: Int(try connection.integer(Self.lineCount) ?? 0))
    var whole = SHA256()
    repeat {
      digest.begin()
      try forEachObservationLine { line in digest.add(line) }
      try forEachHeldBlob { (blob) throws(RasdError) in
        digest.add(Array("blob\t\(blob.sha256)\n".utf8))
      }
      try forEachPin { (key, pin) throws(RasdError) in
        let line = "pin\t\(key.text)\t\(pin.clientRev)\t\(pin.digest)\t\(pin.until)\n"
        digest.add(Array(line.utf8))
      }
      for line in digest.sorted() { whole.update(line.bytes.span) }
    } while digest.next()
    return whole.finish()
  }

  /// The same, worked out while `body` runs on this thread, where another is to be had.
  package func digest(
    aside isAside: Bool,
    _ body: () throws(RasdError) -> Void
  ) throws(RasdError) -> SHA256Digest {
    // What is going to be undone no other connection sees.
    guard isAside, !isRehearsal else {
      try body()
      return try digest()
    }
    connection.beginCheckpoint()
    let (directory, slots, key) = (directory, slotsFile, key)
    let digest = Aside {
      Result { () throws(RasdError) in
        let same = try Store(directory, nil, slots, key, .reading, creating: false)
        defer { same.close() }
        return try same.digest()
      }
    }
    let outcome = Result { () throws(RasdError) in try body() }
    let made = digest.wait()
    try outcome.get()
    return try made.get()
  }

  /// Gives the line of every active observation, read straight from the columns.
  private func forEachObservationLine(
    _ body: ([UInt8]) -> Void
  ) throws(RasdError) {
    var elsewhere = try deliveriesOfSpellings()
    let select = try connection.prepare(
      """
      SELECT o.oid, o.tid, o.key, o.hash, d.source, d.nsid
      FROM observations o JOIN deliveries d ON d.oid = o.oid
      WHERE o.spelling_of IS NULL ORDER BY o.oid
      """
    )
    var line: [UInt8] = []
    var current: Int64?
    var namespaces: Set<Int> = []
    var written: [Set<Int>: [UInt8]] = [:]
    func end() {
      guard let id = current else { return }
      namespaces.formUnion(elsewhere.removeValue(forKey: id) ?? [])
      guard !namespaces.isEmpty else { return }
      let ending = written[namespaces] ?? self.ending(namespaces)
      if written.count < Self.endingsKept { written[namespaces] = ending }
      line.append(contentsOf: ending)
      body(line)
      namespaces.removeAll(keepingCapacity: true)
    }
    while try select.step() {
      let id = select.integer(0)
      if id != current {
        end()
        current = id
        line.removeAll(keepingCapacity: true)
        line.append(contentsOf: "observation\t".utf8)
        line.append(contentsOf: (names.table(select.integer(1))?.text ?? "").utf8)
        line.append(UInt8(ascii: "\t"))
        select.withBytes(2) { line.append(bytes: $0) }
        line.append(UInt8(ascii: "\t"))
        select.withBytes(3) { Hex.append($0, to: &line) }
        line.append(UInt8(ascii: "\t"))
      }
      if ledger.isActive(Int(select.integer(4))) { namespaces.insert(Int(select.integer(5))) }
    }
    end()
  }

  /// Sets of namespaces whose text is kept: most rows share a few.
  private static let endingsKept = 1_000

  private func ending(_ namespaces: Set<Int>) -> [UInt8] {
    let names = namespaces.compactMap { self.names.namespace($0) }.sorted().map(\.text)
    return Array(names.joined(separator: ",").utf8) + [UInt8(ascii: "\n")]
  }

  /// The namespaces of spellings beyond the first, by the row number of the first: few.
  private func deliveriesOfSpellings() throws(RasdError) -> [Int64: Set<Int>] {
    var found: [Int64: Set<Int>] = [:]
    let select = try connection.statement(
      """
      SELECT o.spelling_of, d.source, d.nsid
      FROM observations o JOIN deliveries d ON d.oid = o.oid WHERE o.spelling_of IS NOT NULL
      """
    )
    while try select.step() {
      guard ledger.isActive(Int(select.integer(1))) else { continue }
      found[select.integer(0), default: []].insert(Int(select.integer(2)))
    }
    return found
  }

  private static let lineCount =
    "SELECT (SELECT count(*) FROM observations) + (SELECT count(*) FROM blobs)"
}

/// The digests of a store's lines in order, in memory that does not grow with the store: each
/// pass over the lines keeps those of one range.
private struct DigestPasses {
  /// What one pass keeps, about 4 MiB.
  private static let linesAPass = 131_072

  private let passes: Int
  private var pass = 0
  private var lines: [SHA256Digest] = []

  init(lines count: Int) {
    passes = count / Self.linesAPass + 1
    // Hashes spread evenly, but not quite.
    lines.reserveCapacity(count / passes + count / passes / 16 + 64)
  }

  mutating func begin() { lines.removeAll(keepingCapacity: true) }

  mutating func add(_ line: [UInt8]) {
    let digest = SHA256.digest(line.span)
    if Int(digest.words.0.multipliedFullWidth(by: UInt64(passes)).high) == pass {
      lines.append(digest)
    }
  }

  mutating func sorted() -> [SHA256Digest] {
    lines.sort()
    return lines
  }

  mutating func next() -> Bool {
    pass += 1
    return pass < passes
  }
}
