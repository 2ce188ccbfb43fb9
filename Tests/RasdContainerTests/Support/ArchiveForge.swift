import CArchive
import Glibc
import RasdContainer
import Testing

/// Archives as libarchive writes them.
enum ArchiveForge {
  struct Entry {
    var name: String
    var bytes: [UInt8] = []
    var type = Kind.file
    var link: String?
  }

  enum Kind: UInt32 {
    case file = 0o100000
    case folder = 0o040000
    case link = 0o120000
  }

  static func build(_ format: BundleFormat, _ entries: [Entry]) throws -> [UInt8] {
    let archive = unsafe try #require(archive_write_new())
    defer { unsafe archive_write_free(archive) }
    switch format {
    case .zip: unsafe archive_write_set_format_zip(archive)
    case .tar, .tarGzip, .tarZstd: unsafe archive_write_set_format_pax_restricted(archive)
    }
    switch format {
    case .zip, .tar: break
    case .tarGzip: unsafe archive_write_add_filter_gzip(archive)
    case .tarZstd: unsafe archive_write_add_filter_zstd(archive)
    }
    unsafe setlocale(LC_CTYPE, "C.UTF-8")
    let room = (1 << 20) + entries.reduce(0) { $0 + $1.bytes.count + 4096 }
    var buffer = [UInt8](repeating: 0, count: room)
    var used = 0
    // libarchive keeps both pointers until it is closed.
    try unsafe withUnsafeMutablePointer(to: &used) { used in
      try unsafe buffer.withUnsafeMutableBytes { target in
        unsafe archive_write_open_memory(archive, target.baseAddress, target.count, used)
        for entry in entries { try unsafe write(entry, to: archive) }
        unsafe archive_write_close(archive)
      }
    }
    return Array(buffer.prefix(used))
  }

  private static func write(_ entry: Entry, to archive: OpaquePointer) throws {
    let header = unsafe try #require(archive_entry_new())
    defer { unsafe archive_entry_free(header) }
    unsafe archive_entry_set_pathname_utf8(header, entry.name)
    unsafe archive_entry_set_filetype(header, entry.type.rawValue)
    unsafe archive_entry_set_perm(header, 0o644)
    unsafe archive_entry_set_size(header, Int64(entry.bytes.count))
    if let link = entry.link { unsafe archive_entry_set_symlink_utf8(header, link) }
    let status = unsafe archive_write_header(archive, header)
    #expect(status == ARCHIVE_OK, "\(entry.name)")
    unsafe entry.bytes.withUnsafeBytes {
      _ = unsafe archive_write_data(archive, $0.baseAddress, $0.count)
    }
  }
}
