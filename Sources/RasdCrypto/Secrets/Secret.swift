internal import COpenSSL
internal import Glibc

/// Secret bytes in memory of their own: locked where the system allows it, left out of core
/// dumps, overwritten when the last reference goes.
///
/// Filled once, by its initialiser, and never changed. It has no description: what prints one
/// prints its type.
// Sendable because the bytes are written by the initialiser only.
@safe package final class Secret: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  package let count: Int

  /// Makes a secret of at most `capacity` bytes out of what `fill` writes.
  ///
  /// What `fill` wrote before it threw is overwritten too.
  package init<E: Error>(
    capacity: Int,
    initializingWith fill: (inout OutputSpan<UInt8>) throws(E) -> Void
  ) throws(E) {
    let memory = unsafe Self.allocate(capacity)
    unsafe self.memory = memory
    let bytes = unsafe memory.bindMemory(to: UInt8.self)
    var output = unsafe OutputSpan(buffer: bytes, initializedCount: 0)
    do {
      try fill(&output)
    } catch {
      _ = unsafe output.finalize(for: bytes)
      count = 0
      throw error
    }
    count = unsafe output.finalize(for: bytes)
  }

  /// Makes a secret that holds a copy of `bytes`.
  package convenience init(copying bytes: Span<UInt8>) {
    self.init(capacity: bytes.count) { $0.append(copying: bytes) }
  }

  deinit {
    unsafe OPENSSL_cleanse(memory.baseAddress, memory.count)
    unsafe munmap(memory.baseAddress, memory.count)
  }

  /// The bytes, for as long as the secret is borrowed.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let bytes = unsafe Span<UInt8>(
        _unsafeElements: UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count])
      )
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }

  /// Whether the secret equals `other`, in a time that depends on the lengths only.
  package func equals(_ other: Span<UInt8>) -> Bool {
    Libcrypto.equal(bytes, other)
  }

  /// Whole pages of their own, since locking and keeping out of dumps work by the page.
  ///
  /// A lock that the system refuses (its limit is per process) is done without.
  private static func allocate(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
    let page = sysconf(CInt(_SC_PAGESIZE))
    let size = max(1, (capacity + page - 1) / page) * page
    let start = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      preconditionFailure("out of memory")
    }
    unsafe mlock(start, size)
    unsafe madvise(start, size, MADV_DONTDUMP)
    unsafe madvise(start, size, MADV_WIPEONFORK)
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
  }
}

extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "Secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
