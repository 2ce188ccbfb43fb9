internal import RasdCrypto
package import RasdModel
internal import Synchronization

/// The blobs of a store: sealed files named by an HMAC of what they hold.
///
/// Any number of workers may write and read at a time; a blob counts as held only when a
/// committed row says so, so what a killed run leaves here is found again by the next.
package final class BlobVault: Sendable {
  let directory: StoreDirectory
  let keys: StoreKeys
  /// Directories with names not yet known to be on disk.
  private let unsynced = Mutex<Set<String>>([])

  init(directory: StoreDirectory, keys: StoreKeys) {
    self.directory = directory
    self.keys = keys
  }

  /// Whether the bytes of a hash are here.
  package func contains(_ sha256: SHA256Digest) -> Bool { File.exists(path(of: sha256)) }

  /// Begins a blob whose bytes come one after another.
  package func writer() throws(RasdError) -> BlobWriter { try BlobWriter.begin(self) }

  /// Opens a blob; nil where it is not here.
  package func reader(_ sha256: SHA256Digest) throws(RasdError) -> BlobReader? {
    let path = path(of: sha256)
    guard File.exists(path) else { return nil }
    return try BlobReader.open(path: path, sha256: sha256, keys: keys)
  }

  /// Makes every name given since the last call safe against a power cut.
  package func sync() throws(RasdError) {
    let paths = unsynced.withLock { paths in
      defer { paths.removeAll() }
      return paths
    }
    for path in paths.sorted() { try File.syncDirectory(path) }
  }

  func remove(_ sha256: SHA256Digest) { File.remove(path(of: sha256)) }

  func name(of sha256: SHA256Digest) -> String {
    let key = keys.blobNames
    return Hex.encode(HMAC.tag(.sha256, key: key.bytes, sha256.bytes.span))
  }

  func path(of sha256: SHA256Digest) -> String {
    let name = name(of: sha256)
    return "\(directory.blobs)/\(name.prefix(2))/\(name)"
  }

  /// Puts a finished file under its name; one that is there already stays.
  func accept(_ temporary: String, as sha256: SHA256Digest) throws(RasdError) {
    let path = path(of: sha256)
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    if File.exists(path) {
      File.remove(temporary)
      return
    }
    let isNew = try File.makeDirectory(folder)
    try File.rename(temporary, to: path)
    unsynced.withLock {
      $0.insert(folder)
      if isNew { $0.insert(directory.blobs) }
    }
  }
}
