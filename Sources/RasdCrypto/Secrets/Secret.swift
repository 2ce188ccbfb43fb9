internal import COpenSSL

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
    let memory = unsafe LockedPages.take(capacity)
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
    unsafe LockedPages.giveBack(memory)
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
}

extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "Secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
