import Foundation
import TestSupport
import Testing

/// Cases from the field about the files themselves.
@Suite struct CaseFileTests {
  @Test("1,254 exports of which 68 are bad in various ways", .containerTools)
  func someBadExports() throws {
    let (good, bad) = Soak.isLong ? (1186, 68) : (26, 18)
    let cases = try CaseFolder(
      """
      for i in range(\(good)):
          export(f"good{i:04}", [sub(f"s{i}")], namespace=f"wfp-jo.u_{i}")
      whole = (FOLDER / "good0000.rasdx").read_bytes()
      flipped = bytearray(whole); flipped[whole.index(b"submissions.jsonl") + 100] ^= 1
      kinds = [("empty", b""), ("not-an-export", b"PK" + bytes(43)), ("truncated", whole[: len(whole) // 2]),
               ("unsafe-container", b"garbage" + whole), ("unsafe-container", whole + b"garbage"), ("entry-missing", b"PK\\x05\\x06" + bytes(18)),
               ("entry-damaged", bytes(flipped)), ("wrong-key", None), ("foreign-namespace", None)]
      expect = {}
      for i in range(\(bad)):
          reason, data = kinds[i % len(kinds)]
          expect[f"bad{i:02}.rasdx"] = reason
          if data is not None:
              (FOLDER / f"bad{i:02}.rasdx").write_bytes(data)
          elif reason == "wrong-key":
              export(f"bad{i:02}", [sub("z")], slots=[("key", bytes(32))])
          else:
              export(f"bad{i:02}", [sub("z")], namespace="other-org.u_1")
      (FOLDER / "expect").write_text(json.dumps(expect))
      """
    )
    let expected = try JSONDecoder().decode(
      [String: String].self,
      from: Data(File.read(cases.path("expect")))
    )
    let exports = try FileManager.default.contentsOfDirectory(atPath: cases.path(""))
      .filter { $0.hasSuffix(".rasdx") }
    #expect(exports.count == good + bad)
    let report = cases.folder.path + "/report"
    let result = try cases.store.consolidate(
      exports.map { cases.path($0) },
      ["--key-file", cases.path("raw.key"), "--org", "wfp-jo", "--report", report],
      status: 1
    )
    let events = try Events(report)
    #expect(events.of("source.done").count == good)
    #expect(events.refusals == expected)
    #expect(events.totals == [good + 1, good - 1, 0, 0])
    let lines = result.lines
    func count(_ number: Int) -> String {
      number.formatted(.number.locale(.init(identifier: "en")))
    }
    #expect(
      lines.suffix(2) == [
        "\(count(good)) merged + \(bad) refused = \(count(good + bad)) sources",
        "\(count(good + 1)) imported + \(count(good - 1)) skipped + 0 conflicts + 0 rejected "
          + "= \(count(2 * good)) rows read",
      ]
    )
    for reason in Set(expected.values) { #expect(result.errorText.contains(" \(reason)]")) }
  }

  @Test(
    """
    empty file; 45-byte stub; ZIP with no entries; cut at any byte; central directory only; \
    garbage before or after
    """,
    .containerTools
  )
  func brokenFiles() throws {
    let cases = try CaseFolder(
      """
      row, item = photo("p", "s", bytes(500))
      export("whole", [sub("s", attachments=[item])], atts=[row], blobs={"p": bytes(500)})
      whole = (FOLDER / "whole.rasdx").read_bytes()
      directory = whole.index(b"PK\\x01\\x02")
      files = {"empty": b"", "stub": whole[:45], "zero-stub": bytes(45), "no-entries": b"PK\\x05\\x06" + bytes(18),
               "directory-only": whole[directory:], "before": b"garbage" + whole, "after": whole + b"garbage",
               "zeros-before": bytes(512) + whole, "zeros-after": whole + bytes(512), "page": b"<html>404</html>"}
      step = \(Soak.isLong ? 1 : 61)
      cuts = set(range(1, len(whole), step)) | {1, 2, 3, 4, 29, 30, 45, directory, len(whole) - 22, len(whole) - 1}
      for name, data in (files | {f"cut{i}": whole[:i] for i in cuts}).items():
          (FOLDER / f"{name}.rasdx").write_bytes(data)
      (FOLDER / "whole.rasdx").unlink()
      """
    )
    let expected = [
      "empty": ("empty", "the file is empty"), "stub": ("truncated", "the file ends too early"),
      "zero-stub": ("not-an-export", "this is no export"),
      "no-entries": ("entry-missing", "part of it is missing (entry manifest.json)"),
      "directory-only": ("unsafe-container", "rule directory-place"),
      "before": ("unsafe-container", "rule directory-place"),
      "after": ("unsafe-container", "rule bytes-after-end-record"),
      "zeros-before": ("unsafe-container", "rule directory-place"),
      "zeros-after": ("unsafe-container", "rule bytes-after-end-record"),
      "page": ("not-an-export", "this is no export"),
    ]
    let refusals = try cases.consolidate([""], status: 1).refusals
    #expect(refusals.count > 60)
    for (file, reason) in refusals {
      let name = String(file.dropLast(".rasdx".count))
      #expect(reason == expected[name]?.0 ?? "truncated", "\(file)")
    }
    for (name, (reason, said)) in expected {
      let nothing = ["empty", "not-an-export"].contains(reason)
      let words = try cases.words(of: ["verify", name + ".rasdx"], status: nothing ? 3 : 1)
      #expect(words.count == 1 && words[0].contains(said), "\(words)")
      #expect(words[0].hasSuffix(" \(reason)]"))
    }
    let cut = try cases.words(of: ["verify", "cut30.rasdx"], status: 1)
    #expect(
      cut.count == 1
        && cut[0].contains("copy it again, or rasdkit salvage ")
    )
  }

  @Test(
    "names in legacy encodings, differing only by case, ../, absolute, backslash, #, newline",
    .containerTools
  )
  func names() throws {
    let cases = try CaseFolder(
      #"""
      export("whole", [sub("s")])
      whole = zipfile.ZipFile(FOLDER / "whole.rasdx")
      names = [b"\xe6\xd1\xed.jpg", "фото".encode("cp866"), b"SUBMISSIONS.jsonl", b"../forms.json", b"/etc/passwd", b"attachments\\x",
               b"attachments/a#0", b"attachments/a\nb", "attachments/\u202egpj".encode(), b"forms\0.jsonl"]
      for i, name in enumerate(names):
          with zipfile.ZipFile(FOLDER / f"{i}.rasdx", "w") as made:
              for entry in whole.infolist():
                  made.writestr(zipfile.ZipInfo("@" * len(name) if entry.filename == "forms.jsonl" else entry.filename), whole.read(entry))
          path = FOLDER / f"{i}.rasdx"
          path.write_bytes(path.read_bytes().replace(b"@" * len(name), name))
      """#
    )
    let shown = [
      #"\xe6\xd1\xed.jpg"#, #"\xe4\xae\xe2\xae"#, "submissions.jsonl", "../forms.json",
      "/etc/passwd", #"attachments\\x"#, "attachments/a#0", #"attachments/a\nb"#,
      #"attachments/\u{202e}gpj"#, #"forms\u{0}.jsonl"#,
    ]
    for (i, name) in shown.enumerated() {
      let words = try cases.words(of: ["verify", "\(i).rasdx"], status: 1)
      #expect(words.count == 1)
      let rule = name == "submissions.jsonl" ? "duplicate-name" : "name"
      #expect(words[0].contains("(entry \(name), offset "), "\(words)")
      #expect(words[0].contains(", rule \(rule))"), "\(words)")
      #expect(words[0].hasSuffix("[RASD_STORAGE_INTEGRITY unsafe-container]"))
    }
  }

  @Test("a row of 15 MB; an entry of 200 MB", .containerTools)
  func largeThings() throws {
    let cases = try CaseFolder(
      """
      import zlib
      export("row", [sub("big", data={"essay": RNG.randbytes(7_500_000).hex()}), sub("small")])
      source = zipfile.ZipFile(FOLDER / "row.rasdx")
      for name, method in {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED}.items():
          with zipfile.ZipFile(FOLDER / f"{name}.rasdx", "w") as made:
              for entry in source.infolist():
                  data = bytes(200_000_000) if entry.filename == "forms.jsonl" else source.read(entry)
                  made.writestr(zipfile.ZipInfo(entry.filename), data, method if len(data) == 200_000_000 else None)
      """
    )
    #expect(try cases.consolidate(["row.rasdx"]).totals == [3, 0, 0, 0])
    let lengths = try cases.lines("submissions").map(\.count)
    #expect(lengths.count == 2 && lengths[0] > 15_000_000)
    for name in ["stored.rasdx", "deflated.rasdx"] {
      let result = try Product.run(
        ["verify", "--quiet", "--key-file", cases.path("raw.key"), cases.path(name)]
      )
      #expect(result.status == 1)
      #expect(result.errorText.contains("(entry forms.jsonl,"), "\(result.errorText)")
      #expect(result.errorText.contains("rule entry-size)"), "\(result.errorText)")
      #expect(result.errorText.hasSuffix("[RASD_STORAGE_INTEGRITY unsafe-container]\n"))
      // Refused by what its headers say, before a byte of it is read.
      #expect(result.peakKiB < 100_000)
    }
  }
}
