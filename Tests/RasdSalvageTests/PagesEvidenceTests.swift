import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Folders of evidence under any names, and that nothing in them is touched.
@Suite("Evidence", .databaseTools)
struct PagesEvidenceTests {
  @Test("Databases, sidecars and older copies are told by their bytes")
  func sorted() throws {
    for cipher in ["plain", "4"] {
      let device = try DeviceDatabase.made(.init(cipher: cipher, pageSize: 4_096, wal: true))
      let folder = try TemporaryDirectory()
      try folder.write(device.database, to: "found 17")
      try folder.write(device.wal, to: "x.bin")
      try folder.write(device.database, to: "u_1.pre-2.db")
      try folder.write([0xFF, 0xD8, 0xFF] + device.database.dropFirst(3), to: "attachments/a.jpg")
      try folder.write("5a\n", to: "key.txt")
      let before = try FileTree(of: folder.path)
      let evidence = try Evidence(path: folder.path)
      #expect(evidence.others == ["attachments/a.jpg", "key.txt"])
      let found = try #require(evidence.databases.first)
      #expect(evidence.databases.count == 1)
      #expect(found.file.path.hasSuffix("found 17"))
      #expect(found.wals.map(\.path) == [folder.file("x.bin")])
      #expect(found.olderCopies.map(\.path) == [folder.file("u_1.pre-2.db")])
      let seals = try found.files.map { file throws(RasdError) in try file.seal() }
      let source = try found.open(device.options)
      #expect(device.wrongPages(source) == [])
      #expect(try found.files.map { file throws(RasdError) in try file.seal() } == seals)
      #expect(try FileTree(of: folder.path).changes(since: before) == [])
    }
  }

  @Test("A database file brings the siblings of its name")
  func siblings() throws {
    let device = try DeviceDatabase.made(.init(cipher: "plain", pageSize: 4_096, wal: true))
    let folder = try TemporaryDirectory()
    try folder.write(device.database, to: "device.db")
    try folder.write(device.wal, to: "device.db-wal")
    try folder.write(device.database, to: "other.db")
    try folder.write(device.database, to: "device.db.corrupt.1712")
    let evidence = try Evidence(path: folder.file("device.db"))
    #expect(evidence.databases.count == 1)
    #expect(evidence.databases[0].wals.map(\.path) == [folder.file("device.db-wal")])
    #expect(evidence.databases[0].olderCopies.count == 1)
    #expect(device.wrongPages(try evidence.databases[0].open(.init())) == [])
  }

  @Test("The salt of an older copy opens a database whose page 1 is gone")
  func saltOfOlderCopy() async throws {
    let device = try DeviceDatabase.made(.init(cipher: "4", passphrase: true))
    var wiped = device.database
    for i in 0..<4_096 { wiped[i] = 0 }
    let folder = try TemporaryDirectory()
    try folder.write(wiped, to: "device.db")
    try folder.write(device.database, to: "device.pre-3.db")
    let evidence = try Evidence(path: folder.path)
    let found = try #require(evidence.databases.first)
    #expect(found.file.path == folder.file("device.db"))
    #expect(found.olderCopies.map(\.path) == [folder.file("device.pre-3.db")])
    let source = try found.open(device.options)
    #expect(source.current(2)?.verdict == .intact)
    #expect(device.wrongPages(source) == [1])
    // What the copy has that the database has not is history.
    var older: [Page] = []
    try await source.forEachHistoricalPage(workers: 2) {
      $0
    } consume: {
      older.append($0)
    }
    #expect(older.map(\.number) == [1])
    #expect(older.map(\.origin) == [.olderCopy(file: 0)])
    #expect(source.path(of: .olderCopy(file: 0)) == folder.file("device.pre-3.db"))
  }

  @Test("Links, pipes and folders are not evidence to read")
  func notRegular() throws {
    let folder = try TemporaryDirectory()
    try folder.write("x", to: "inside/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"),
      withDestinationPath: "/etc/passwd"
    )
    #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
    let evidence = try Evidence(path: folder.path)
    #expect(evidence.databases.isEmpty)
    #expect(evidence.others == ["inside/a.txt"])
    #expect(throws: RasdError(.unavailable, .openFailed)) {
      try Evidence(path: folder.file("nothing"))
    }
  }
}
