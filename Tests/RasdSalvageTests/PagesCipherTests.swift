import Foundation
import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// SQLCipher databases with settings other than the defaults: none of them is told to the opener.
@Suite("Pages under uncommon cipher settings", .databaseTools)
struct PagesCipherTests {
  struct Setting: Sendable, CustomStringConvertible {
    let description: String
    /// Pragmas after the key.
    let pragmas: [String]
    var key = raw
    var verdict = PageVerdict.intact

    static let hex = String(repeating: "5a", count: 32)
    static let salt = String(repeating: "c3", count: 16)
    static let raw = "\"x'\(hex)'\""
    static let phrase = "'correct horse'"
  }

  static let settings = [
    Setting(description: "HMAC off", pragmas: ["cipher_use_hmac=OFF"], verdict: .unproved),
    Setting(
      description: "HMAC off, passphrase",
      pragmas: ["cipher_use_hmac=OFF"],
      key: Setting.phrase,
      verdict: .unproved
    ),
    Setting(
      description: "SHA-256",
      pragmas: [
        "cipher_hmac_algorithm=HMAC_SHA256", "cipher_kdf_algorithm=PBKDF2_HMAC_SHA256",
      ],
      key: Setting.phrase
    ),
    Setting(
      description: "HMAC and KDF apart",
      pragmas: ["cipher_hmac_algorithm=HMAC_SHA1", "kdf_iter=64000"],
      key: Setting.phrase
    ),
    Setting(
      description: "version 2, big-endian page numbers",
      pragmas: ["cipher_compatibility=2", "cipher_hmac_pgno='be'"]
    ),
    Setting(
      description: "version 2, HMAC salt mask 0",
      pragmas: ["cipher_compatibility=2", "cipher_hmac_salt_mask=\"x'00'\""]
    ),
    Setting(description: "page size 2048", pragmas: ["cipher_page_size=2048"]),
  ]

  /// Writes a database of a few dozen pages, and what it decrypts to as SQLCipher sees it.
  private func make(_ pragmas: [String], key: String, at path: String) throws {
    let program = """
      import sys, sqlcipher3
      c = sqlcipher3.connect(sys.argv[1], isolation_level=None)
      c.execute('PRAGMA key = ' + sys.argv[2])
      for p in sys.argv[3:]: c.execute('PRAGMA ' + p)
      c.execute('create table t(id integer primary key, body text)')
      c.execute('begin')
      for i in range(400): c.execute('insert into t values(?,?)', (i, f'row number {i} ' * 20))
      c.execute('commit')
      """
    let made = try Python.run(program: program, [path, key] + pragmas)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// Every row's text stands in exactly the pages that decrypted.
  private func expectAllRows(_ source: PageSource, _ verdict: PageVerdict, from first: UInt32 = 1) {
    var text: [UInt8] = []
    for number in first...source.pageCount {
      guard let page = source.current(number) else { continue }
      #expect(page.verdict == verdict, "page \(number)")
      text += page.bytes.prefix(page.usable)
    }
    let all = Data(text)
    for i in 0..<400 {
      #expect(all.range(of: Data("row number \(i) row number \(i) ".utf8)) != nil, "row \(i)")
    }
  }

  private func options(_ key: String) -> PageSource.Options {
    key == Setting.raw ? .raw(Setting.hex) : .passphrase("correct horse")
  }

  @Test("Found by trial", arguments: settings)
  func foundByTrial(setting: Setting) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db")
    try make(setting.pragmas, key: setting.key, at: path)
    let bytes = try File.read(path)
    let source = try PageSource.open(database: ByteStore(bytes), options: options(setting.key))
    #expect(source.header != nil)
    expectAllRows(source, setting.verdict)
    // Shifted, and page 1 gone where the key needs no salt.
    let shifted = try PageSource.open(
      database: ByteStore([UInt8](repeating: 9, count: 777) + bytes),
      options: options(setting.key)
    )
    #expect(shifted.layout.start == 777)
    expectAllRows(shifted, setting.verdict)
  }

  @Test("A clear header of 32 bytes, its salt outside")
  func plaintextHeader() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db")
    try make(
      ["cipher_plaintext_header_size=32", "cipher_salt=\"x'\(Setting.salt)'\""],
      key: Setting.raw,
      at: path
    )
    let bytes = try File.read(path)
    #expect(bytes.starts(with: DatabaseHeader.magic))
    var withSalt = PageSource.Options.raw(Setting.hex)
    withSalt.salts = [Hex.decode(Setting.salt) ?? []]
    let source = try PageSource.open(database: ByteStore(bytes), options: withSalt)
    #expect(source.cipher?.plaintextHeader == 32)
    expectAllRows(source, .intact)
    // The salt with the key, as in 96 hexadecimal digits.
    var together = PageSource.Options()
    let key = Hex.decode(Setting.hex) ?? []
    together.keys = [.raw(Secret(copying: key.span), salt: Hex.decode(Setting.salt))]
    expectAllRows(try PageSource.open(database: ByteStore(bytes), options: together), .intact)
    // Without the salt nothing can prove a page, but it decrypts.
    let bare = try PageSource.open(database: ByteStore(bytes), options: .raw(Setting.hex))
    #expect(bare.findings.contains { $0.kind == .saltMissing })
    expectAllRows(bare, .unproved)
    // With a wrong key it stays closed.
    #expect(throws: RasdError(.keyUnavailable, .wrongKey)) {
      try PageSource.open(
        database: ByteStore(bytes),
        options: .raw(String(repeating: "11", count: 32))
      )
    }
  }

  @Test("The salt lost: a raw key decrypts, a given salt proves, a passphrase needs it")
  func saltLost() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db")
    try make([], key: Setting.raw, at: path)
    let sound = try File.read(path)
    var bytes = sound
    for i in 0..<4_096 { bytes[i] = 0 }
    let bare = try PageSource.open(database: ByteStore(bytes), options: .raw(Setting.hex))
    expectAllRows(bare, .unproved, from: 2)
    var given = PageSource.Options.raw(Setting.hex)
    given.salts = [Array(sound.prefix(16))]
    expectAllRows(
      try PageSource.open(database: ByteStore(bytes), options: given),
      .intact,
      from: 2
    )
    #expect(throws: RasdError(.keyUnavailable, .saltLost)) {
      try PageSource.open(database: ByteStore(bytes), options: .passphrase("correct horse"))
    }
  }

  @Test("Every tag bad: all pages decrypt, all are marked")
  func everyTagBad() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db")
    try make([], key: Setting.raw, at: path)
    var bytes = try File.read(path)
    for page in 0..<bytes.count / 4_096 { bytes[page * 4_096 + 4_040] ^= 1 }
    let source = try PageSource.open(database: ByteStore(bytes), options: .raw(Setting.hex))
    expectAllRows(source, .hmacFailed)
  }

  @Test("An interrupted rekey opens with its two keys, page by page")
  func interruptedRekey() throws {
    for rows in [60, 5] {
      let device = try DeviceDatabase.made(.init(rows: rows, more: ["--rekey-cut"]))
      #expect(device.keys.count == 2)
      for keys in [device.keys, device.keys.reversed()] {
        var options = PageSource.Options()
        options.keys = keys
        let source = try PageSource.open(database: ByteStore(device.database), options: options)
        for number in 1...source.pageCount {
          #expect(source.current(number)?.verdict == .intact, "page \(number)")
        }
      }
      // With one key alone the other half is decrypted to nothing and marked.
      var one = PageSource.Options()
      one.keys = [device.keys[0]]
      let half = try PageSource.open(database: ByteStore(device.database), options: one)
      let intact = (1...half.pageCount).count { half.current($0)?.verdict == .intact }
      #expect(intact == Int(half.pageCount) / 2)
    }
  }
}
