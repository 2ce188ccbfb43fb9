import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdContainer

@Suite struct BundleTests {
  /// What came out of a bundle, by name.
  private func unpack(_ bytes: [UInt8]) throws -> (members: [String: [UInt8]], Bundle.Summary) {
    let folder = try TemporaryDirectory()
    return try unpack(path: folder.write(bytes, to: "bundle"))
  }

  private func unpack(
    path: String
  ) throws -> (members: [String: [UInt8]], Bundle.Summary) {
    let spool = try TemporaryDirectory()
    var members: [String: [UInt8]] = [:]
    let summary = try Bundle(ByteSource(path: path))
      .unpack(spoolingIn: spool.path, executable: Product.rasdkit) {
        (member: Bundle.Member) throws(RasdError) in
        members[member.name] = try member.source.read(at: 0, count: member.source.size)
        // Nothing has a name while it is spooled.
        #expect(FileTree.paths(under: spool.path) == [])
      }
    return (members, summary)
  }

  private func refusal(_ bytes: [UInt8]) throws -> Reason? {
    do {
      _ = try unpack(bytes)
      return nil
    } catch let error as RasdError {
      return error.reason
    }
  }

  @Test(arguments: BundleFormat.allCases)
  func exportsComeOutOfEveryFormat(_ format: BundleFormat) throws {
    let first = try Sample.small(.chunked).bytes()
    let second = try Sample.small(.none).bytes()
    let bundle = try ArchiveForge.build(
      format,
      [
        .init(name: "exports/", type: .folder),
        .init(name: "exports/one.rasdx", bytes: first),
        .init(name: "exports/نموذج.bin", bytes: second),
        .init(name: "readme.txt", bytes: Array("hello".utf8)),
        .init(name: "empty.rasdx"),
      ]
    )
    let (members, summary) = try unpack(bundle)
    #expect(
      members == ["exports/one.rasdx": first, "exports/نموذج.bin": second, "empty.rasdx": []]
    )
    #expect(summary.exports == 3)
    #expect(summary.others == 1)
  }

  @Test func aSpooledExportReadsLikeAFile() throws {
    let folder = try TemporaryDirectory()
    var sample = try Sample.small(.none)
    sample.blobs.append(("large", nil, (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }))
    sample.sizes = .init(rows: 100, blobs: 90_000)
    let bytes = try sample.bytes()
    let spool = try SpoolWriter(in: folder.path)
    for start in stride(from: 0, to: bytes.count, by: 10_007) {
      try spool.append(bytes[start..<min(start + 10_007, bytes.count)].span)
    }
    let source = try spool.finish()
    #expect(source.size == bytes.count)
    let reader = try ExportFile(source).unlock(.init(), plaintext: .allowed)
    let (content, result) = try Content.collect(reader, workers: 2)
    #expect(result.isWhole)
    #expect(content == (try Content.read(folder.write(bytes, to: "plain")).0))
  }

  @Test func whatTarPacksFromAFolderIsTaken() throws {
    let folder = try TemporaryDirectory()
    let bytes = try Sample.small().bytes()
    try folder.write(bytes, to: "in/sub/a.rasdx")
    let made = try ChildProcess.run(
      "/bin/sh",
      ["-c", "tar -C in -czf out.tar.gz ."],
      directory: folder.path
    )
    #expect(made.status == 0)
    let (members, _) = try unpack(path: folder.file("out.tar.gz"))
    #expect(members == ["sub/a.rasdx": bytes])
  }

  @Test(.shared("corpora/zip/expect.json"))
  func everyArchiveOfTheCorpusGetsItsVerdict() throws {
    let json = try JSONValue.parse(File.read(Shared.path("corpora/zip/expect.json")))
    for member in try #require(json.members) {
      let safe = try #require(member.value["safe"]?.string)
      let bytes = try File.read(Shared.path("corpora/zip/\(member.name).zip"))
      let reason = try refusal(bytes)
      switch safe {
      case "reject":
        #expect(
          reason == .unsafeContainer || reason == .truncated,
          "\(member.name): \(reason as Any)"
        )
      case "limit": #expect(reason == .limitExceeded, "\(member.name): \(reason as Any)")
      default: #expect(reason == nil, "\(member.name)")
      }
    }
  }

  @Test(arguments: [
    "../a.rasdx", "/a.rasdx", "a/../b.rasdx", "a//b.rasdx", "CON", "x/nul.txt", "a\\b", "a:b",
    "~/a", "a. ", "a\u{202E}b",
  ])
  func unsafeNamesInTars(_ name: String) throws {
    let bundle = try ArchiveForge.build(.tar, [.init(name: name, bytes: [1])])
    #expect(try refusal(bundle) == .unsafeContainer)
  }

  @Test func linksAndDoubledNamesInTars() throws {
    let link = ArchiveForge.Entry(name: "l", type: .link, link: "/etc/passwd")
    #expect(try refusal(ArchiveForge.build(.tar, [link])) == .unsafeContainer)
    let twice = ["a.rasdx", "A.rasdx"].map { ArchiveForge.Entry(name: $0, bytes: [1]) }
    #expect(try refusal(ArchiveForge.build(.tar, twice)) == .unsafeContainer)
    let both = ["a", "a/b"].map { ArchiveForge.Entry(name: $0, bytes: [1]) }
    #expect(try refusal(ArchiveForge.build(.tar, both)) == .unsafeContainer)
  }

  @Test(arguments: [BundleFormat.tarGzip, .tarZstd])
  func bombsInTars(_ format: BundleFormat) throws {
    let zeros = ArchiveForge.Entry(name: "a.rasdx", bytes: [UInt8](repeating: 0, count: 40 << 20))
    #expect(try refusal(ArchiveForge.build(format, [zeros])) == .limitExceeded)
  }

  @Test(arguments: BundleFormat.allCases)
  func cutAnywhere(_ format: BundleFormat) throws {
    let export = try Sample.small().bytes()
    let bundle = try ArchiveForge.build(
      format,
      ["a.rasdx", "b.rasdx"].map { .init(name: $0, bytes: export) }
    )
    var generator = SeededGenerator()
    for _ in 0..<Soak.rounds(short: 8, long: 200) {
      let length = Int.random(in: 600..<bundle.count, using: &generator)
      let cut = Array(bundle.prefix(length))
      // A tar's end is zeros, of which some may be missing.
      guard cut.count < bundle.count - 10_240 || format != .tar else { continue }
      let reason = try refusal(cut)
      #expect(
        reason == .truncated || reason == .entryDamaged,
        "\(length) of \(bundle.count): \(reason as Any)"
      )
    }
  }

  @Test("tars put one after the other are read to the last", arguments: [true, false])
  func concatenated(_ isZipped: Bool) throws {
    let format = isZipped ? BundleFormat.tarGzip : .tar
    let export = try Sample.small(.chunked).bytes()
    let both = try ["one.rasdx", "two.rasdx"].flatMap { name in
      try ArchiveForge.build(format, [.init(name: name, bytes: export)])
    }
    #expect(try unpack(both).members == ["one.rasdx": export, "two.rasdx": export])
  }

  @Test("an export that came whole is not lost with what stands behind it")
  func damagedBehind() throws {
    let folder = try TemporaryDirectory()
    let export = try Sample.small(.chunked).bytes()
    let one = ArchiveForge.Entry(name: "one.rasdx", bytes: export)
    let alone = try ArchiveForge.build(.tar, [one])
    let both = try ArchiveForge.build(.tar, [one, .init(name: "two.rasdx", bytes: export)])
    let header = try #require(zip(alone, both).enumerated().first { $1.0 != $1.1 }?.offset)
    let path = try folder.write(Array(both.prefix(header + 100)), to: "cut.tar")
    var names: [String] = []
    let error = #expect(throws: RasdError.self) {
      try Bundle(ByteSource(path: path))
        .unpack(spoolingIn: folder.path, executable: Product.rasdkit) {
          (member: Bundle.Member) throws(RasdError) in names.append(member.name)
        }
    }
    #expect(error?.reason == .truncated)
    #expect(names == ["one.rasdx"])
  }

  @Test func whatIsNoBundle() throws {
    #expect(try refusal([]) == .empty)
    #expect(try refusal(Array("hello".utf8)) == .notAnExport)
  }
}
