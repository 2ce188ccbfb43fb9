internal import Glibc
package import RasdModel

/// A file that a person gave as a key, read whole.
package struct KeyFile: Sendable {
  package let path: String
  /// Group or others may read it: worth a warning where it holds a secret.
  package let isReadableByOthers: Bool
  private let contents: Secret

  /// A PEM key has below 1 KiB, and no one types a longer passphrase.
  package static let sizeLimit = 65_536

  package init(path: String, expected: KeyNature.Expected) throws(RasdError) {
    self.path = path
    do throws(KeyFault) {
      let file = try Descriptor(path: path)
      isReadableByOthers = file.isReadableByOthers
      contents = try file.read(limit: Self.sizeLimit)
    } catch {
      throw error.error(at: path, expected: expected)
    }
  }

  package var nature: KeyNature { KeyNature(of: contents.bytes) }

  package static func passphrase(_ path: String) throws(RasdError) -> (Passphrase, KeyFile) {
    let file = try KeyFile(path: path, expected: .passphrase)
    do throws(KeyFault) {
      guard file.nature.canBePassphrase else { throw KeyFault(file.nature) }
      return (try Passphrase(file.contents.bytes), file)
    } catch {
      throw error.error(at: path, expected: .passphrase)
    }
  }

  package static func rawKey(_ path: String) throws(RasdError) -> (RawKey, KeyFile) {
    let file = try KeyFile(path: path, expected: .rawKey)
    do throws(KeyFault) {
      return (try RawKey(file.contents.bytes), file)
    } catch {
      throw error.error(at: path, expected: .rawKey)
    }
  }

  package static func identity(_ path: String) throws(RasdError) -> (Identity, KeyFile) {
    let file = try KeyFile(path: path, expected: .identity)
    do throws(KeyFault) {
      return (try Identity(pem: file.contents.bytes), file)
    } catch {
      throw error.error(at: path, expected: .identity)
    }
  }

  package static func recipient(_ path: String) throws(RasdError) -> Recipient {
    let file = try KeyFile(path: path, expected: .recipient)
    do throws(KeyFault) {
      return try Recipient(pem: file.contents.bytes)
    } catch {
      throw error.error(at: path, expected: .recipient)
    }
  }

  /// A passphrase that another program hands over an open descriptor, read to its end and closed.
  package static func passphrase(descriptor: Int32) throws(RasdError) -> Passphrase {
    do throws(KeyFault) {
      let text = try Descriptor(descriptor).read(limit: sizeLimit)
      let nature = KeyNature(of: text.bytes)
      guard nature.canBePassphrase else { throw KeyFault(nature) }
      return try Passphrase(text.bytes)
    } catch {
      throw error.error(at: "fd \(descriptor)", expected: .passphrase)
    }
  }

  /// The bytes of a file that is no secret, a key ring.
  static func contents(of path: String, limit: Int) throws(KeyFault) -> [UInt8] {
    let text = try Descriptor(path: path).read(limit: limit)
    return [UInt8](copying: text.bytes)
  }
}

extension KeyNature {
  /// Any text may be a passphrase, but for what can only be there by mistake.
  fileprivate var canBePassphrase: Bool {
    switch self {
    case .text, .rawKey, .hexOfOtherLength: true
    default: false
    }
  }
}

/// An open file descriptor, closed when it goes.
private struct Descriptor: ~Copyable {
  private let number: CInt
  let isReadableByOthers: Bool

  init(path: String) throws(KeyFault) {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw KeyFault(errno == ENOENT ? .missing : .unreadable) }
    try self.init(number)
  }

  init(_ number: CInt) throws(KeyFault) {
    var status = stat()
    let known = unsafe fstat(number, &status) == 0
    let kind = status.st_mode & S_IFMT
    isReadableByOthers = kind == S_IFREG && status.st_mode & 0o044 != 0
    self.number = number
    guard known, kind != S_IFDIR else { throw KeyFault(known ? .directory : .unreadable) }
  }

  deinit { close(number) }

  /// Everything up to the end; what is longer than the limit is told by how it begins.
  func read(limit: Int) throws(KeyFault) -> Secret {
    var failed = false
    let bytes = Secret(capacity: limit + 1) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        while count < buffer.count {
          let target = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]
          )
          let read = unsafe Glibc.read(number, target.baseAddress, target.count)
          if read < 0, errno == EINTR { continue }
          failed = read < 0
          if read <= 0 { break }
          count += read
        }
      }
    }
    if failed { throw KeyFault(.unreadable) }
    guard bytes.count <= limit else {
      let nature = KeyNature(of: bytes.bytes)
      let shapeless: [KeyNature] = [.text, .binary, .hexOfOtherLength]
      throw KeyFault(shapeless.contains(nature) ? .tooLong : nature)
    }
    return bytes
  }
}
