import Foundation
import TestSupport
import Testing

/// Cases from the field about attachments.
@Suite struct CasePhotoTests {
  private static let program = """
    rows, atts, blobs = [sub("none")], [], {}
    for count in (1, 2, 40):
        items = []
        for i in range(count):
            data = f"photo {count} {i}".encode()
            row, item = photo(f"p{count}-{i}", f"s{count}", data, name="same.jpg")
            atts.append(row); items.append(item | {"name": "same.jpg"}); blobs[row["id"]] = data
        rows.append(sub(f"s{count}", attachments=items))
    lost, item = photo("lost", "s-lost", b"gone"); atts.append(lost); rows.append(sub("s-lost", attachments=[item]))
    hollow, item = photo("hollow", "s-hollow", b"full"); atts.append(hollow); blobs["hollow"] = b""
    rows.append(sub("s-hollow", attachments=[item]))
    twin, item = photo("twin", "s-twin", b"photo 1 0"); atts.append(twin); blobs["twin"] = b"photo 1 0"
    rows.append(sub("s-twin", attachments=[item]))
    export("one", rows, atts=atts, blobs=blobs)
    export("healed", rows, atts=atts, blobs={"lost": b"gone", "hollow": b"full"}, seq=2, at="2026-09-03T06:00:00Z")
    """

  @Test(
    """
    a record with 0, 1, 2, 40 attachments; one missing; one of 0 bytes with a non-empty hash; the \
    same photo under two ids; two photos with one name
    """,
    .containerTools
  )
  func photos() throws {
    let cases = try CaseFolder(Self.program)
    let events = try cases.consolidate(["one.rasdx"], status: 1)
    // No row is dropped for its photo, and each is counted: 7 records, 46 photos, a form.
    #expect(events.totals == [54, 0, 0, 0])
    #expect(try cases.rows("submissions").count == 7)
    #expect(try cases.rows("attachments").count == 46)
    #expect(events.missing == ["hollow", "lost"])
    #expect(try cases.heldPhotos().count == 44)
    #expect(try cases.heldPhotos()["p2-0"] == Array("photo 2 0".utf8))
    #expect(try cases.heldPhotos()["p2-1"] == Array("photo 2 1".utf8))
    #expect(try cases.heldPhotos()["twin"] == cases.heldPhotos()["p1-0"])
    // One content is one file, however many ids it has.
    let files = try FileTree(of: cases.store.path + "/blobs").entries.values
    #expect(files.filter { !$0.isDirectory }.count == 43)
    // What came for the hollow one is put aside and said once.
    let aside = events.of("blob").filter { $0["reason"] as? String == "blob-hash-mismatch" }
    #expect(aside.map { $0["id"] as? String } == ["hollow"])
    #expect(events.findings.filter { $0 == "blob-hash-mismatch" }.count == 1)
  }

  @Test("a later export that has the photo heals it", .containerTools, arguments: [false, true])
  func healed(_ laterFirst: Bool) throws {
    let cases = try CaseFolder(Self.program)
    let names = ["one.rasdx", "healed.rasdx"]
    for name in laterFirst ? names.reversed() : names {
      _ = try Product.run(
        ["consolidate", "--quiet"] + cases.store.options
          + ["--key-file", cases.path("raw.key"), cases.path(name)]
      )
    }
    #expect(try cases.heldPhotos().count == 46)
    #expect(try cases.heldPhotos()["hollow"] == Array("full".utf8))
    let again = try cases.consolidate(names)
    #expect(again.missing == [])
    #expect(try cases.rows("submissions").count == 7)
  }
}

/// What is a host's own is told by the attachment's row, not by its id alone.
@Suite struct HostAssetTests {
  @Test("host assets are left out unless asked for, and travel with a store", .containerTools)
  func hostAssets() throws {
    let cases = try CaseFolder(
      """
      rows, blobs = [], {}
      for id, sid in {"basemap:amman#0": "$asset", "basemap:mine": "s", "photo": "s"}.items():
          row, item = photo(id, sid, id.encode(), "uploaded"); rows.append(row); blobs[id] = id.encode()
      export("one", [sub("s")], atts=rows, blobs=blobs)
      """
    )
    #expect(try cases.consolidate(["one.rasdx"]).totals == [4, 1, 0, 0])
    #expect(try cases.heldPhotos().keys.sorted() == ["basemap%3Amine", "photo"])

    let all = try TestStore("all", in: cases.folder.path)
    let key = ["--key-file", cases.path("raw.key")]
    try all.consolidate([cases.path("one.rasdx")], key + ["--host-assets"])
    let sealed = cases.folder.path + "/all.rasdx"
    try all.run("export", ["--to", sealed, "--to-key-file", cases.path("raw.key")])
    let copy = try TestStore("copy", in: cases.folder.path)
    try copy.consolidate([sealed], key)
    #expect(try copy.digest() == all.digest())
  }
}

extension Events {
  /// Ids of the attachments whose bytes are said to be missing, sorted.
  fileprivate var missing: [String] {
    of("finding").filter { $0["reason"] as? String == "bytes-missing" }
      .flatMap { ($0["subject"] as? [String: Any])?["keys"] as? [String] ?? [] }.sorted()
  }
}

extension CaseFolder {
  /// The bytes of each attachment that the store holds, by id.
  fileprivate func heldPhotos() throws -> [String: [UInt8]] {
    let target = folder.path + "/photos-\(UInt32.random(in: 0...(.max)))"
    try store.run("export", ["--to", target, "--format", "jsonl"])
    return try FileTree(of: target + "/attachments").entries
      .filter { !$0.value.isDirectory }.mapValues(\.bytes)
  }
}
