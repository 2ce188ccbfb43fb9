internal import CSQLCipher
internal import Glibc
internal import RasdModel

extension Connection {
  /// The first SQLCipher whose default format (4: AES-256-CBC, HMAC-SHA-512, 4096-byte pages)
  /// is the one that phones write today and that a store is written in.
  static let oldestMajorVersion = 4

  /// How long a statement waits for another connection's lock, in milliseconds.
  static let busyTimeout: Int32 = 5_000

  /// What the page cache may hold, in KiB: the interior and index pages of a store of half a
  /// million rows, and well below the memory a run may take.
  static let pageCache = 12_288
  /// The same for one who reads from end to end.
  static let smallCache = 4_096

  /// Of a database that is written once from end to end: the larger, the fewer pages to make.
  static let plainPageSize = 32_768

  /// What a write-ahead log is cut to after a checkpoint, in bytes.
  static let journalLimit = 67_108_864

  /// Hands the key over as SQLCipher's `x'…'` raw form, from a buffer that is wiped.
  func useKey(_ rawKey: Span<UInt8>) throws(RasdError) {
    let digits = StaticString("0123456789abcdef")
    var text: [UInt8] = [UInt8(ascii: "x"), UInt8(ascii: "'")]
    text.reserveCapacity(2 * rawKey.count + 3)
    for i in rawKey.indices {
      unsafe text.append(digits.utf8Start[Int(rawKey[i] >> 4)])
      unsafe text.append(digits.utf8Start[Int(rawKey[i] & 15)])
    }
    text.append(UInt8(ascii: "'"))
    let result = unsafe text.withUnsafeMutableBytes { bytes in
      let result = unsafe sqlite3_key(handle, bytes.baseAddress, Int32(bytes.count))
      if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
      return result
    }
    try check(result)
  }

  func requireSupportedVersion() throws(RasdError) {
    let version = try text("PRAGMA cipher_version") ?? "none"
    let major = version.split(separator: ".").first.flatMap { Int($0) } ?? 0
    guard major >= Self.oldestMajorVersion else {
      throw RasdError(
        .unavailable,
        .sqlcipherTooOld,
        ["version": .text(version), "help": "./dev setup"]
      )
    }
  }

  /// The first read decrypts page 1: where it fails, the key is another's or the page is damaged.
  func proveKey() throws(RasdError) {
    do {
      _ = try integer("SELECT count(*) FROM sqlite_master")
    } catch  where error.reason == .storeDamaged {
      throw RasdError(.keyUnavailable, .wrongKey, error.details)
    }
  }

  /// The file as SQLite is told that nothing will change it while it is open.
  static func immutableName(of path: String) -> String {
    var name = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return name + "?immutable=1"
  }

  func setPragmas(_ access: Access) throws(RasdError) {
    if access == .readUntouched {
      try execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -\(Self.smallCache)")
      return
    }
    guard try text("PRAGMA journal_mode = WAL") == "wal" else {
      throw RasdError(.unavailable, .ioError, ["message": "no write-ahead log possible here"])
    }
    try execute("PRAGMA synchronous = NORMAL")
    try check(unsafe sqlite3_busy_timeout(handle, Self.busyTimeout))
    try execute(
      """
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = \(Self.journalLimit);
      PRAGMA cache_size = -\(access == .read ? Self.smallCache : Self.pageCache);
      """
    )
    if access == .read { try execute("PRAGMA query_only = ON") }
  }
}
