import CArchive
import Glibc

/// libarchive with one format and one filter enabled, reading over the socket.
@safe final class ArchiveHandle {
  private let archive: OpaquePointer
  private let reader: SocketReader

  enum Next {
    case entry(UnpackerFrame.EntryType, size: Int, name: [UInt8])
    case end
    case failed(UnpackerFrame.Failure)
  }

  init?(_ format: BundleFormat, _ socket: UnpackerSocket) {
    guard let archive = unsafe archive_read_new() else { return nil }
    unsafe self.archive = archive
    reader = SocketReader(socket)
    switch format {
    case .zip: unsafe archive_read_support_format_zip_seekable(archive)
    case .tar, .tarGzip, .tarZstd: unsafe archive_read_support_format_tar(archive)
    }
    switch format {
    case .zip, .tar: break
    case .tarGzip: unsafe archive_read_support_filter_gzip(archive)
    case .tarZstd: unsafe archive_read_support_filter_zstd(archive)
    }
    // Tars that were put one after the other are read to the last.
    unsafe archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1")
    unsafe archive_read_set_callback_data(archive, Unmanaged.passUnretained(reader).toOpaque())
    unsafe archive_read_set_read_callback(archive) { _, context, bytes in
      guard let reader = unsafe SocketReader.of(context) else { return -1 }
      return unsafe reader.read(bytes)
    }
    unsafe archive_read_set_seek_callback(archive) { _, context, offset, whence in
      unsafe SocketReader.of(context)?.seek(offset, whence) ?? Int64(ARCHIVE_FATAL)
    }
    // What can't be opened says so at its first entry.
    unsafe archive_read_open1(archive)
  }

  deinit { unsafe archive_read_free(archive) }

  func nextEntry() -> Next {
    var entry: OpaquePointer?
    let status = unsafe archive_read_next_header(archive, &entry)
    if status == ARCHIVE_EOF { return .end }
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else {
      return .failed(failure)
    }
    var name: [UInt8] = []
    let text = unsafe archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)
    if let text = unsafe text {
      unsafe name = [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
    let mode = unsafe archive_entry_filetype(entry)
    let isLinked = unsafe archive_entry_hardlink(entry) != nil
    let type: UnpackerFrame.EntryType =
      isLinked ? .other : mode == S_IFREG ? .file : mode == S_IFDIR ? .folder : .other
    let size = unsafe archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : -1
    return .entry(type, size: size, name: name)
  }

  /// Makes `bytes` the entry's next bytes; zero at its end, nil where they can't be had.
  func read(_ count: Int, into bytes: inout [UInt8]) -> Int? {
    var got = -1
    bytes.removeAll(keepingCapacity: true)
    bytes.append(addingCapacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        got = unsafe archive_read_data(archive, buffer.baseAddress, count)
        initialized = max(0, got)
      }
    }
    return got >= 0 ? got : nil
  }

  /// What the last failure was, as far as it can be told.
  var failure: UnpackerFrame.Failure {
    if unsafe archive_errno(archive) == ENOMEM { return .outOfMemory }
    guard let message = unsafe archive_error_string(archive) else { return .damaged }
    let text = unsafe String(cString: message).lowercased()
    return text.contains("truncated") ? .truncated : .damaged
  }
}

/// Gives libarchive the archive's bytes as the parent sends them.
@safe final class SocketReader {
  private let socket: UnpackerSocket
  private var offset = 0
  private let size: Int
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
  private var received: [UInt8] = []
  private static let piece = 1 << 18

  init(_ socket: UnpackerSocket) {
    self.socket = socket
    // The parent says first how long the archive is.
    var bytes: [UInt8] = []
    size = socket.receive(8, into: &bytes) ? bytes.span.int64(0) ?? 0 : 0
  }

  deinit { unsafe buffer.deallocate() }

  static func of(_ context: UnsafeMutableRawPointer?) -> SocketReader? {
    unsafe context.map { unsafe Unmanaged<SocketReader>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Points libarchive at the next bytes; zero at the end, -1 where the parent is gone.
  func read(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    let count = min(Self.piece, size - offset)
    guard count > 0 else { return 0 }
    guard socket.send(UnpackerFrame(.read, first: count, second: offset)),
      socket.receive(count, into: &received)
    else { return -1 }
    unsafe received.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
    unsafe bytes?.pointee = UnsafeRawPointer(buffer.baseAddress)
    offset += count
    return count
  }

  func seek(_ distance: Int64, _ whence: Int32) -> Int64 {
    let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : size
    let (target, overflow) = base.addingReportingOverflow(Int(distance))
    guard !overflow, 0...size ~= target else { return Int64(ARCHIVE_FATAL) }
    offset = target
    return Int64(target)
  }
}
