@testable import RasdContainer

/// The structure of each archive of the published ZIP corpus, made anew around an export's
/// entries; by the archive's name.
enum ZipTransplants {
  /// What the format allows.
  static let allowed: Set<String> = [
    "ok-datadesc", "ok-deflate", "ok-stored", "ok-utf8-name", "ok-zip64-eocd", "a-dd-nosig",
    "name-setuid",
  ]

  static let all: [String: @Sendable (inout ZipForge) -> Void] = [
    "a-crc-central": {
      $0.entries[2].checksum ^= 1; $0.entries[2].localChecksum = $0.entries[2].checksum ^ 1
    },
    "a-crc-local": { $0.entries[2].localChecksum = 1 },
    "a-dd-lies": {
      $0.entries[2].stream()
      $0.entries[2].descriptor[4] ^= 1
    },
    "a-dd-nosig": { for i in $0.entries.indices { $0.entries[i].stream(signature: false) } },
    "a-dd-stored-inner": {
      var outer = ZipForge.Entry("manifest.json", $0.build())
      outer.stream()
      $0 = ZipForge([outer])
    },
    "a-dd-zip64-width": { $0.entries[2].stream(width: 8) },
    "a-encrypted-both": { $0.entries[2].flags = 1 },
    "a-encrypted-central": {
      $0.entries[2].flags = 1; $0.entries[2].localFlags = 0
    },
    "a-encrypted-local": { $0.entries[2].localFlags = 1 },
    "a-extra-overrun": { $0.entries[2].centralExtra = Array("UT".utf8) + [0x90, 1] },
    "a-masked-local": { $0.entries[2].flags = 0x2001 },
    "a-method": { $0.entries[2].localMethod = 8 },
    "a-method99": { $0.entries[2].method = 99 },
    "a-name": { $0.entries[2].localName = Array("attachments/z".utf8) },
    "a-size-central-larger": {
      let more = $0.entries[3].data.count + 60
      let entry = $0.entries[2]
      (($0.entries[2].localSize), ($0.entries[2].localStoredSize)) = (entry.size, entry.size)
      $0.entries[2].size += more
      $0.entries[2].storedSize += more
    },
    "a-size-local-larger": {
      $0.entries[2].localSize = $0.entries[2].size + 100
      $0.entries[2].localStoredSize = $0.entries[2].size + 100
    },
    "a-strong-encryption": { $0.entries[2].flags = 0x41 },
    "a-unicode-path": {
      let path = [1, 0, 0, 0, 0] + Array("../y.txt".utf8)
      $0.entries[2].centralExtra = ZipForge.extra(0x7075, path)
    },
    "a-unknown-method": { $0.entries[2].method = 77 },
    "a-zip64-dup": { large(&$0, twice: true) { [$0, $0, 5, 5] } },
    "a-zip64-huge": { large(&$0) { _ in [Int.min, Int.min | 5] } },
    "a-zip64-short": { large(&$0) { [$0] } },
    "a-zip64-size": { large(&$0) { [$0 - 1, $0 - 1] } },
    "b-case": { $0.entries.append(.init("META.json", [1])) },
    "b-duplicate": { $0.entries.append($0.entries[2]) },
    "b-file-and-dir": { $0.entries.append(.init("meta.json/b", [1])) },
    "b-unicode": {
      $0.entries.append(.init("caf\u{E9}", [1]))
      $0.entries.append(.init("cafe\u{301}", [1]))
    },
    "bomb-declared-small": { bomb(&$0, declared: 10) },
    "bomb-deflate-32MiB": { bomb(&$0, declared: 32 << 20) },
    "bomb-overlap-full": { forge in
      for i in 0..<20 {
        var entry = forge.entries[3]
        entry.name = Array("attachments/f\(i)".utf8)
        entry.sharesLocalHeader = true
        forge.entries.append(entry)
      }
    },
    "bomb-overlap-quoted": { forge in
      // An entry whose bytes hold the header and bytes of another that is listed too.
      let inner = ZipForge([.init("attachments/in", [1, 2, 3])]).build()
      forge.entries.append(.init("attachments/out", Array(inner.prefix(47))))
      var quoted = ZipForge.Entry("attachments/in", [1, 2, 3])
      quoted.sharesLocalHeader = true
      let before = forge.entries.dropLast().reduce(0) { $0 + 30 + $1.name.count + $1.data.count }
      quoted.offset = before + 30 + "attachments/out".utf8.count
      forge.entries.append(quoted)
    },
    "c-cd-huge": {
      $0.count = 0xFFFE; $0.directorySize = 0xFFFF_FFF0
    },
    "c-cd-offset": { $0.directoryOffset = 3 },
    "c-cd-size": { $0.directorySize = 10 },
    "c-comment-lies": { $0.commentSize = 40 },
    "c-count-high": { $0.count = $0.entries.count + 4 },
    "c-count-low": { $0.count = $0.entries.count - 1 },
    "c-count-split": { $0.countOnDisk = $0.entries.count - 1 },
    "c-eocd-in-comment": { $0.comment = ZipForge([]).build() },
    "c-gap": { $0.gap = [UInt8](repeating: 0, count: 50) },
    "c-hidden-local": {
      var hidden = ZipForge.Entry("attachments/hidden", [1])
      hidden.isHidden = true
      $0.entries.append(hidden)
    },
    "c-local-offset-past-end": { $0.entries[2].offset = 0x7FFF_FFFF },
    "c-multidisk": { $0.disk = 3 },
    "c-no-eocd": { $0.hasEnd = false },
    "c-prefix": { $0.prefix = Array("MZ junk".utf8) },
    "c-prefix-adjusted": {
      $0.prefix = Array("#!/bin/sh\nexit\n".utf8)
      $0.prefixIsCounted = true
    },
    "c-shared-local": {
      var shared = $0.entries[3]
      shared.name = Array("attachments/g".utf8)
      shared.sharesLocalHeader = true
      $0.entries.insert(shared, at: 4)
    },
    "c-trailing": { $0.trailing = Array("garbage".utf8) },
    "c-two-eocd": { $0.trailing = ZipForge([.init("b.txt", Array("second".utf8))]).build() },
    "c-zip64-count": {
      $0.hasLargeEnd = true; $0.largeCount = 1 << 40
    },
    "c-zip64-locator-wrong": {
      $0.hasLargeEnd = true; $0.locatorOffset = 1 << 40
    },
    "c-zip64-overflow": {
      $0.hasLargeEnd = true; $0.largeOffset = -1
    },
    "many-empty-3000": { forge in
      forge.entries += (0..<3000).map { .init(String($0, radix: 16), []) }
    },
    "name-absolute": { add(&$0, "/etc/evil") },
    "name-ads": { add(&$0, "attachments/a.txt::$DATA") },
    "name-backslash": { add(&$0, "attachments\\..\\evil.txt") },
    "name-bad-utf8-flagged": { add(&$0, Array("attachments/caf".utf8) + [0xFF], flags: 0x800) },
    "name-bidi": { add(&$0, "attachments/a\u{202E}txt.exe") },
    "name-cp437": { add(&$0, Array("attachments/caf".utf8) + [0x82]) },
    "name-ctrl": { add(&$0, "attachments/a\n\u{1B}[31m") },
    "name-device": { add(&$0, "CON") },
    "name-dir": { add(&$0, "attachments/") },
    "name-dot": { add(&$0, ".") },
    "name-dotdot": { add(&$0, "../evil.txt") },
    "name-dotdot-mid": { add(&$0, "attachments/../../evil") },
    "name-double-slash": { add(&$0, "attachments//b") },
    "name-drive": { add(&$0, "C:\\evil.txt") },
    "name-empty": { add(&$0, "") },
    "name-long": { add(&$0, "attachments/" + String(repeating: "n", count: 4000)) },
    "name-nfd": { add(&$0, "attachments/cafe\u{301}") },
    "name-nul": { add(&$0, "attachments/a\0b") },
    "name-setuid": { forge in
      for i in forge.entries.indices {
        forge.entries[i].madeBy = 0x0314
        forge.entries[i].attributes = 0o104755 << 16
      }
    },
    "name-symlink": {
      $0.entries[2].madeBy = 0x0314
      $0.entries[2].attributes = 0o120777 << 16
    },
    "name-tilde": { add(&$0, "~/x") },
    "name-trailing-dot": { add(&$0, "attachments/a.txt. ") },
    "name-unc": { add(&$0, "\\\\host\\share\\x") },
    "nested": { $0 = ZipForge([.init("0.zip", $0.build())]) },
    "ok-datadesc": { for i in $0.entries.indices { $0.entries[i].stream() } },
    "ok-deflate": { for i in $0.entries.indices { $0.entries[i].deflate() } },
    "ok-empty": { $0.entries = [] },
    "ok-stored": { _ in },
    "ok-utf8-name": { for i in $0.entries.indices { $0.entries[i].flags = 0x800 } },
    "ok-zip64-eocd": { $0.hasLargeEnd = true },
    "c-truncated": { forge in
      forge.trailing = []
      let whole = forge.build()
      forge = ZipForge([])
      forge.hasEnd = false
      forge.prefix = Array(whole.prefix(whole.count / 2))
    },
  ]

  private static func add(_ forge: inout ZipForge, _ name: String) { add(&forge, Array(name.utf8)) }

  private static func add(_ forge: inout ZipForge, _ name: [UInt8], flags: Int = 0) {
    var entry = ZipForge.Entry(name, Array("hello world\n".utf8))
    entry.flags = flags
    forge.entries.insert(entry, at: 3)
  }

  /// Sizes of the third entry that stand in the directory's ZIP64 field.
  private static func large(
    _ forge: inout ZipForge,
    twice: Bool = false,
    _ values: (Int) -> [Int]
  ) {
    let entry = forge.entries[2]
    (forge.entries[2].localSize, forge.entries[2].localStoredSize) = (entry.size, entry.size)
    (forge.entries[2].size, forge.entries[2].storedSize) = (0xFFFF_FFFF, 0xFFFF_FFFF)
    let numbers = values(entry.size)
    let half = twice ? numbers.count / 2 : numbers.count
    forge.entries[2].centralExtra = [numbers[..<half], numbers[half...]]
      .filter { !$0.isEmpty }
      .flatMap { part in ZipForge.extra(1, part.flatMap { ZipForge.number($0, 8) }) }
  }

  private static func bomb(_ forge: inout ZipForge, declared: Int) {
    var entry = ZipForge.Entry("attachments/bomb", [UInt8](repeating: 0, count: 32 << 20))
    entry.deflate()
    entry.size = declared
    forge.entries.insert(entry, at: 3)
  }
}
