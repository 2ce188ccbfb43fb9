import CZlib

/// Raw DEFLATE both ways and CRC-32, through zlib.
///
/// An inflater is one thread's, and is used again for every part.
@safe final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  /// Without a header or checksum of zlib's own, with the largest window.
  static let rawWindow: Int32 = -15

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe inflateInit2_(
      stream,
      Self.rawWindow,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(status == Z_OK, "zlib is out of memory")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  enum Outcome: Equatable {
    /// The stream ended where the input does and gave exactly what was asked for.
    case whole
    /// It is no DEFLATE stream, is cut, or bytes follow its end.
    case damaged
    /// A good stream that decodes to more or fewer bytes.
    case otherSize
  }

  /// Makes `output` what `input` decodes to, at most `size` bytes; also what came out before
  /// damage.
  func inflate(_ input: Span<UInt8>, size: Int, into output: inout [UInt8]) -> Outcome {
    output.removeAll(keepingCapacity: true)
    var outcome = Outcome.damaged
    // One byte more shows that a stream is longer, without inflating it.
    output.append(addingCapacity: size + 1) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, written in
        unsafe input.withUnsafeBufferPointer { input in
          (outcome, written) = unsafe run(input, target, size: size)
        }
      }
    }
    if output.count > size { output.removeLast(output.count - size) }
    return outcome
  }

  private func run(
    _ input: UnsafeBufferPointer<UInt8>,
    _ target: UnsafeMutableBufferPointer<UInt8>,
    size: Int
  ) -> (Outcome, Int) {
    unsafe inflateReset(stream)
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    unsafe stream.pointee.avail_in = UInt32(input.count)
    unsafe stream.pointee.next_out = target.baseAddress
    unsafe stream.pointee.avail_out = UInt32(size + 1)
    let status = unsafe CZlib.inflate(stream, Z_FINISH)
    let written = unsafe size + 1 - Int(stream.pointee.avail_out)
    if written > size { return (.otherSize, written) }
    guard status == Z_STREAM_END, unsafe stream.pointee.avail_in == 0 else {
      return (.damaged, written)
    }
    return (written == size ? .whole : .otherSize, written)
  }
}

/// Raw DEFLATE at level 6, as writers use it.
@safe final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private static let level: Int32 = 6
  private static let memoryLevel: Int32 = 8

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe deflateInit2_(
      stream,
      Self.level,
      Z_DEFLATED,
      Inflater.rawWindow,
      Self.memoryLevel,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(status == Z_OK, "zlib is out of memory")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The deflated bytes, nil where they would not be fewer.
  func deflate(_ input: Span<UInt8>) -> [UInt8]? {
    guard input.count > 1 else { return nil }
    var isSmaller = false
    let room = input.count - 1
    let output = [UInt8](capacity: room) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, written in
        unsafe input.withUnsafeBufferPointer { input in
          unsafe deflateReset(stream)
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room)
          isSmaller = unsafe CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END
          written = unsafe room - Int(stream.pointee.avail_out)
        }
      }
    }
    return isSmaller ? output : nil
  }
}

/// The CRC-32 that ZIP uses.
struct Checksum {
  private(set) var value: UInt32 = 0

  mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer {
      guard let start = $0.baseAddress else { return }
      value = UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(value), start, $0.count))
    }
  }

  static func crc32(_ bytes: Span<UInt8>) -> UInt32 {
    var checksum = Checksum()
    checksum.update(bytes)
    return checksum.value
  }
}
