import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdPipeline

@Suite struct SourceFinderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func filesAreToldByContentInOrderOfPath() throws {
    let export = "PK\u{3}\u{4}" + String(repeating: "\0", count: 26) + "manifest.json{"
    for name in ["b/deep/two.zip", "b/#1 %.rasdx", "a.rasdx", "notes.txt", "b/photo.jpg"] {
      _ = try folder.write(name.hasSuffix("zip") ? export : "x", to: name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.rasdx"),
      withDestinationPath: folder.file("a.rasdx")
    )
    let finder = SourceFinder([folder.path])
    #expect(
      finder.sources.map { String($0.path.dropFirst(folder.path.count + 1)) }
        == ["a.rasdx", "b/#1 %.rasdx", "b/deep/two.zip"]
    )
    #expect(
      finder.ignored.map { ($0 as NSString).lastPathComponent }
        == ["link.rasdx", "photo.jpg", "notes.txt"]
    )
    #expect(finder.failures.isEmpty)
  }

  @Test func whatIsMissingIsSaidForAll() {
    let finder = SourceFinder([folder.file("no"), folder.path, folder.file("neither"), "-"])
    #expect(finder.failures.map(\.reason) == [.notFound, .nothingFound, .notFound])
    #expect(finder.sources.map(\.path) == ["-"])
  }

  @Test("a tar from before it had a mark is told by its checksum")
  func oldTar() {
    var head = [UInt8](repeating: 0, count: FileKind.headBytes)
    head.replaceSubrange(0..<5, with: Array("a.txt".utf8))
    #expect(FileKind.of(head: head, path: "old.tar") == .unknown)
    let sum = head.reduce(8 * 0x20) { $0 + Int($1) }
    let digits = Array(String(sum, radix: 8).utf8)
    head.replaceSubrange(148..<(148 + digits.count), with: digits)
    #expect(FileKind.of(head: head, path: "old.tar") == .bundle)
  }

  @Test(
    "heads",
    arguments: [
      ("", "x", FileKind.empty), ("", "x.rasdx", .export), ("junk", "X.RASDX", .export),
      ("SQLite format 3\0", "device.db", .database), ("PK\u{3}\u{4}other", "fleet.zip", .bundle),
      ("\u{1F}", "x", .unknown),
    ]
  )
  func heads(_ head: String, _ path: String, _ kind: FileKind) {
    #expect(FileKind.of(head: Array(head.utf8), path: path) == kind)
  }
}
