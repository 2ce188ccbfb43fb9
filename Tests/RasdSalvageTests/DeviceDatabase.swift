import Foundation
import RasdCrypto
import RasdModel
import Synchronization
import TestSupport

@testable import RasdSalvage

/// A device's database made by `devicedb.py`, undamaged, with what every page should decrypt to.
struct DeviceDatabase: Sendable {
  struct Recipe: Hashable, Sendable, CustomStringConvertible {
    var cipher = "4"
    var pageSize: Int?
    var passphrase = false
    var wal = false
    var rows = 60
    var seed = 1
    var more: [String] = []

    var description: String {
      var words = [cipher, pageSize.map { "\($0)" } ?? "default"]
      if passphrase { words.append("passphrase") }
      if wal { words.append("wal") }
      return (words + more).joined(separator: " ")
    }
  }

  let recipe: Recipe
  let pageSize: Int
  let database: [UInt8]
  let wal: [UInt8]
  let keys: [DatabaseKey]
  /// The database as SQLCipher itself sees it, WAL checkpointed, decrypted by other code.
  let expected: [UInt8]

  /// The same recipe makes the same bytes: each is made once a run.
  static func made(_ recipe: Recipe) throws -> DeviceDatabase {
    try shelf.withLock { shelf throws in
      if let known = shelf[recipe] { return known }
      let device = try DeviceDatabase(recipe)
      shelf[recipe] = device
      return device
    }
  }

  private static let shelf = Mutex<[Recipe: DeviceDatabase]>([:])

  private init(_ recipe: Recipe) throws {
    self.recipe = recipe
    let folder = try TemporaryDirectory()
    let out = folder.file("out")
    var arguments = [
      out, "--seed", "\(recipe.seed)", "--rows", "\(recipe.rows)", "--cipher", recipe.cipher,
    ]
    if let size = recipe.pageSize { arguments += ["--page-size", "\(size)"] }
    if recipe.passphrase { arguments.append("--passphrase") }
    if recipe.wal { arguments.append("--wal") }
    let made = try Python.run("devicedb.py", arguments + recipe.more)
    guard made.status == 0 else { throw Failed(output: made.errorText) }
    let reference = try Python.run(
      program: Self.reference,
      [out, recipe.cipher, recipe.pageSize.map { "\($0)" } ?? "0"]
    )
    guard reference.status == 0 else { throw Failed(output: reference.errorText) }
    database = try File.read(out + "/device.db")
    wal = recipe.wal ? try File.read(out + "/device.db-wal") : []
    expected = try File.read(out + "/expected.db")
    pageSize =
      recipe.pageSize ?? (recipe.cipher == "plain" || recipe.cipher == "4" ? 4_096 : 1_024)
    if recipe.passphrase {
      let bytes = try File.read(out + "/passphrase.txt")
      keys = [.passphrase(Secret(copying: bytes.span))]
    } else {
      keys = try ["key.txt", "key2.txt"].filter {
        recipe.cipher != "plain" && FileManager.default.fileExists(atPath: out + "/" + $0)
      }.map { name in
        let text = String(decoding: try File.read(out + "/" + name), as: UTF8.self)
        let bytes = Hex.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? []
        return .raw(Secret(copying: bytes.span), salt: nil)
      }
    }
  }

  struct Failed: Error { let output: String }

  private static let reference = """
    import sys, shutil, pathlib
    from types import SimpleNamespace
    import devicedb
    out, cipher, size = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    a = SimpleNamespace(cipher=cipher, page_size=size or None, utf16=False, auto_vacuum=False)
    ph = out / 'passphrase.txt'
    key = "'" + ph.read_text() + "'" if ph.exists() else "\\"x'" + (out / 'key.txt').read_text().strip() + "'\\""
    copy = out / 'copy.db'
    shutil.copy(out / 'device.db', copy)
    if (out / 'device.db-wal').exists():
        shutil.copy(out / 'device.db-wal', out / 'copy.db-wal')
        c = devicedb.connect(copy, a, key)
        c.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
        c.close()
    (out / 'expected.db').write_bytes(copy.read_bytes() if cipher == 'plain' else devicedb.decrypt_copy(copy, a, key))
    """

  var options: PageSource.Options {
    var options = PageSource.Options()
    options.keys = keys
    return options
  }

  /// The bytes of a page that b-trees see.
  func expectedPage(_ number: UInt32, usable: Int) -> ArraySlice<UInt8> {
    let at = (Int(number) - 1) * pageSize
    return expected[at..<(at + usable)]
  }

  var pageCount: UInt32 { UInt32(expected.count / pageSize) }

  /// Numbers of pages that are not, byte for byte, what they should be.
  func wrongPages(_ source: PageSource) -> [UInt32] {
    (1...pageCount).filter { number in
      guard let page = source.current(number) else { return true }
      return page.bytes.prefix(page.usable) != expectedPage(number, usable: page.usable)
    }
  }
}
