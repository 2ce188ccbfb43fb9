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
  /// Blobs that wait for the disk: their bytes are made safe together, then they get their names.
  private let written = Mutex<[WrittenBlob]>([])
  /// Each keeps a descriptor, of which a process may have no more than 1024.
  private static let mostWritten = 128

  init(directory: StoreDirectory, keys: StoreKeys) {
    self.directory = directory
    self.keys = keys
  }

  /// Whether a blob's file is here, with the size that it should have; `proved` reads it.
  package func holds(_ sha256: SHA256Digest, bytes: Int) -> Bool {
    File.size(at: path(of: sha256)) == BlobFile.size(of: bytes)
  }

  /// Begins a blob whose bytes come one after another.
  package func writer() throws(RasdError) -> BlobWriter { try BlobWriter.begin(self) }

  /// Opens a blob; nil where it is not here.
  package func reader(_ sha256: SHA256Digest) throws(RasdError) -> BlobReader? {
    let path = path(of: sha256)
    guard File.exists(path) else { return nil }
    return try BlobReader.open(path: path, sha256: sha256, keys: keys)
  }

  /// Makes every blob written since the last call safe against a power cut, and gives it its name.
  package func sync() throws(RasdError) {
    let blobs = written.withLock { exchange(&$0, with: []) }
    try DiskWait.each(blobs.count) { number throws(RasdError) in try blobs[number].spool.file.sync()
    }
    var folders: Set<String> = []
    for blob in blobs { try name(blob, &folders) }
    let paths = folders.sorted()
    try DiskWait.each(paths.count) { number throws(RasdError) in
      try File.syncDirectory(paths[number])
    }
  }

  /// Removes the blobs that were written since the last `sync`.
  func forgetWritten() { written.withLock { $0.removeAll() } }

  func remove(_ sha256: SHA256Digest) { File.remove(path(of: sha256)) }

  /// Gives the name of every file of the vault.
  func forEachName(_ body: (String) throws(RasdError) -> Void) throws(RasdError) {
    for folder in File.names(in: directory.blobs) ?? [] {
      for name in File.names(in: "\(directory.blobs)/\(folder)") ?? [] { try body(name) }
    }
  }

  func remove(named name: String) { File.remove(path(named: name)) }

  func name(of sha256: SHA256Digest) -> String {
    let key = keys.blobNames
    return Hex.encode(HMAC.tag(.sha256, key: key.bytes, sha256.bytes.span))
  }

  func path(of sha256: SHA256Digest) -> String { path(named: name(of: sha256)) }

  private func path(named name: String) -> String {
    "\(directory.blobs)/\(name.prefix(2))/\(name)"
  }

  /// Writes a blob whose bytes and their hash are at hand; any worker can.
  package func write(
    _ bytes: Span<UInt8>,
    sha256: SHA256Digest
  ) throws(RasdError) -> WrittenBlob {
    var writer = try BlobWriter.begin(self)
    try writer.append(bytes)
    return try writer.seal(sha256: sha256)
  }

  /// Takes a blob whose bytes are written; it has its name after the next `sync`.
  package func accept(_ blob: WrittenBlob) throws(RasdError) -> SealedBlob {
    let count = written.withLock { blobs in
      blobs.append(blob)
      return blobs.count
    }
    if count >= Self.mostWritten { try sync() }
    return SealedBlob(sha256: blob.sha256, bytes: blob.bytes)
  }

  /// Puts a file under its name, in place of one that stood there, and notes which directories
  /// that changed.
  private func name(_ blob: WrittenBlob, _ folders: inout Set<String>) throws(RasdError) {
    let path = path(of: blob.sha256)
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    if try File.makeDirectory(folder) { folders.insert(directory.blobs) }
    try File.rename(blob.spool.file.path, to: path)
    folders.insert(folder)
  }
}
