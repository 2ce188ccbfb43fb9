import RasdContainer
import RasdCrypto
import SQLCipherKit

/// The versions of the tool and of every library it stands on.
package enum Versions {
  package static let tool = "0.1.0"

  /// By name, the tool first, then as `--version` lists them.
  package static var all: [(name: String, version: String)] {
    [
      ("rasdkit", tool),
      ("sqlcipher", Connection.cipherVersion() ?? "none"),
      ("sqlite", Connection.sqliteVersion),
      ("openssl", CryptoLibrary.version),
      ("libzip", ContainerLibraries.libzip),
      ("libarchive", ContainerLibraries.libarchive),
    ]
  }

  package static var text: String {
    all.map { "\($0.name) \($0.version)\n" }.joined()
  }
}
