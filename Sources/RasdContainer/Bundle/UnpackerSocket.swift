import Glibc
import RasdModel

/// What the unpacking child and its parent say to each other over one socket.
///
/// The child has no other descriptor: it asks for the archive's bytes by offset and sends what
/// it finds in them. A frame is a kind, two numbers and so many bytes.
struct UnpackerFrame {
  enum Kind: UInt8 {
    /// Asks for `first` bytes at offset `second`; answered with bare bytes, fewer at the end.
    case read = 0x52
    /// An entry begins: its type, its size (-1 where unknown), its name.
    case entry = 0x45
    case data = 0x44
    case end = 0x5A
    /// The archive can't be read further.
    case failure = 0x58
  }

  enum EntryType: Int {
    case file, folder, other
  }

  enum Failure: Int {
    case damaged, truncated, outOfMemory
  }

  static let headSize = 17
  /// What a frame may carry; a child that says more is not ours any more.
  static let longest = 1 << 20

  var kind: Kind
  var first = 0
  var second = 0
  /// Bytes of the payload that follows.
  var payload = 0

  func head() -> [UInt8] {
    var bytes = [kind.rawValue]
    for (value, count) in [(first, 4), (second, 8), (payload, 4)] {
      for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    return bytes
  }

  init(_ kind: Kind, first: Int = 0, second: Int = 0, payload: Int = 0) {
    (self.kind, self.first, self.second, self.payload) = (kind, first, second, payload)
  }

  /// Nil where the bytes are no frame's head.
  init?(head: Span<UInt8>) {
    guard head.count == Self.headSize, let kind = Kind(rawValue: head[0]) else { return nil }
    let second = UInt64(head.u32(5)) | UInt64(head.u32(9)) << 32
    self.init(
      kind,
      first: head.int32(1),
      second: Int(truncatingIfNeeded: second),
      payload: head.int32(13)
    )
    guard payload <= Self.longest, first <= Self.longest else { return nil }
  }
}

/// One end of the socket.
///
/// It never raises SIGPIPE: an end that is gone is an answer.
struct UnpackerSocket {
  let raw: Int32

  /// Whether all of it went out.
  func send(_ bytes: Span<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return true }
      var done = 0
      while done < buffer.count {
        let n = unsafe Glibc.send(raw, start + done, buffer.count - done, Int32(MSG_NOSIGNAL))
        if n < 0 && errno == EINTR { continue }
        guard n > 0 else { return false }
        done += n
      }
      return true
    }
  }

  func send(_ frame: UnpackerFrame, _ payload: Span<UInt8> = Span()) -> Bool {
    var frame = frame
    frame.payload = payload.count
    return send(frame.head().span) && send(payload)
  }

  /// Makes `bytes` the next `count`; false where the other end is gone before.
  func receive(_ count: Int, into bytes: inout [UInt8]) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(addingCapacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        guard let start = buffer.baseAddress else { return }
        while initialized < count {
          let n = unsafe recv(raw, start + initialized, count - initialized, 0)
          if n < 0 && errno == EINTR { continue }
          guard n > 0 else { return }
          initialized += n
        }
      }
    }
    return bytes.count == count
  }
}
