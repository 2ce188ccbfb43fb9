import Glibc
import RasdContainer
import RasdCrypto
import RasdModel

enum ContainerTargets {
  @Sendable static func manifest(_ bytes: Span<UInt8>) {
    guard let manifest = try? Manifest([UInt8](copying: bytes)) else { return }
    precondition(manifest.tables.count <= Manifest.mostTables)
  }

  /// A plaintext export from its structure to its last hash; the file lies in memory.
  @Sendable static func export(_ bytes: Span<UInt8>) {
    let path = "/dev/shm/rasdkit-fuzz-\(getpid())"
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let written = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    close(file)
    guard written == bytes.count else { return }
    defer { unsafe unlink(path) }
    guard let export = try? ExportFile(path: path),
      let reader = try? export.unlock(Credentials(), plaintext: .allowed)
    else { return }
    _ = try? reader.verify(workers: 1)
  }
}
