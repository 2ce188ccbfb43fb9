import Foundation
import RasdContainer
import RasdCrypto
import RasdModel
import TestSupport
import Testing

/// Both ways with an independent reader and writer of the format.
@Suite(.containerTools) struct InteropTests {
  private func keyFiles(_ folder: TemporaryDirectory) throws -> [[String]] {
    let key = try folder.write(Hex.encode(Sample.rawKey), to: "raw.key")
    let identity = try folder.write(
      [UInt8](copying: Sample.identity.pem.bytes),
      to: "identity.pem"
    )
    let passphrase = try folder.write(Sample.passphrase + "\n", to: "passphrase.txt")
    return [
      ["--key-file", key], ["--identity", identity], ["--passphrase-file", passphrase],
    ]
  }

  @Test(arguments: Suite.allCases)
  func theOtherReaderVerifiesWhatIsWritten(_ suite: Suite) throws {
    let folder = try TemporaryDirectory()
    let sample = try Sample.small(suite)
    let end = try sample.write(to: folder.file("a.rasdx"))
    for keys in suite == .none ? [[]] : try keyFiles(folder) {
      let result = try Python.run("rasdx.py", ["verify", folder.file("a.rasdx")] + keys)
      #expect(result.status == 0, "\(result.errorText)")
      let json = try JSONValue.parse(result.output)
      #expect(json["jsonlSha256"]?.string == end.rowsDigest.hex)
    }
    let dump = try Python.run(
      "rasdx.py",
      ["dump", folder.file("a.rasdx"), folder.file("dump")]
        + (suite == .none ? [] : keyFiles(folder)[0])
    )
    #expect(dump.status == 0, "\(dump.errorText)")
    for blob in sample.blobs {
      let name = EntryEscape.escape(blob.id)
      #expect(try folder.read("dump/attachments/" + name) == blob.bytes)
    }
    for (table, rows) in sample.rows {
      let text = String(decoding: try folder.read("dump/\(table.text).jsonl"), as: UTF8.self)
      #expect(text == rows.map { $0 + "\n" }.joined())
    }
  }

  /// The other writer's way with ZIP, suites and part sizes.
  @Test(
    arguments: Suite.allCases,
    ["plain", "utf8", "descriptor", "zip64", "times", "folder"]
  )
  func whatTheOtherWriterWritesIsTaken(_ suite: Suite, style: String) throws {
    let folder = try TemporaryDirectory()
    let program = """
      import random, sys
      import rasdx
      folder, suite, style = sys.argv[1:]
      r = random.Random(7)
      blobs = {f"p{i}": r.randbytes(r.choice([0, 1, 999, 5000])) for i in range(9)}
      blobs["a.b c/é#"] = b"x"
      tables = {"forms": [{"id": f"f{i}", "version": "1"} for i in range(3)],
                "submissions": [{"id": f"s{i}", "status": "draft", "clientRev": i, "t": "ع" * r.randrange(60)}
                                for i in range(40)],
                "attachments": [], "x_h": [{"id": i} for i in range(5)]}
      key = bytes(range(32))
      for i, (row, blob, deflate) in enumerate([(1, 1000, True), (77, 1, False), (300, 333, True),
                                                (262144, 4 << 20, True), (16 << 20, 16 << 20, False)]):
          if blob == 1:
              some = {k: v[:50] for k, v in blobs.items()}
          else:
              some = blobs
          rasdx.write(f"{folder}/{i}.rasdx", namespace="wfp-jo.u_1", exported_at="2026-09-03T14:05:11.000Z",
                      tables=tables, blobs=some, slots=[] if suite == "none" else [("key", key)],
                      rng=r, suite=suite, zip_style=style, deflate=deflate, row_part=row, blob_part=blob)
      """
    let made = try Python.run(program: program, [folder.path, suite.rawValue, style])
    #expect(made.status == 0, "\(made.errorText)")
    for i in 0..<5 {
      let (content, result) = try Content.read(folder.file("\(i).rasdx"), workers: 2)
      #expect(result.failures == [])
      #expect(content.rows["submissions"]?.count == 40)
      #expect(content.blobs.count == 10)
      #expect(content.blobs["a.b c/é#"] == [UInt8(ascii: "x")])
    }
  }

  @Test func allKindsOfSlotsOpen() throws {
    let folder = try TemporaryDirectory()
    let program = """
      import random, sys
      import rasdx
      r = random.Random(3)
      identity, recipient = rasdx.identity_from_seed(r.randbytes(32))
      open(sys.argv[1] + "/id.pem", "w").write(identity)
      for name, slot in [("p", ("passphrase", "correct horse بطارية")), ("k", ("key", bytes(range(32)))),
                         ("h", ("x25519", recipient))]:
          rasdx.write(f"{sys.argv[1]}/{name}.rasdx", namespace="wfp-jo.u_1", exported_at="2026-09-03T14:05:11.000Z",
                      tables={"kv": [{"key": "a", "value": 1}]}, blobs={}, slots=[slot], rng=r, iterations=100_000)
      """
    let made = try Python.run(program: program, [folder.path])
    #expect(made.status == 0, "\(made.errorText)")
    var keys = Sample.keys
    keys.add(.passphrase(try Passphrase(Sample.passphrase)), source: "test")
    try keys.addIdentityFile(folder.file("id.pem"))
    for name in ["p", "k", "h"] {
      let (content, result) = try Content.read(folder.file("\(name).rasdx"), keys: keys)
      #expect(result.isWhole)
      #expect(content.rows["kv"] == [#"{"key":"a","value":1}"#])
    }
  }
}
