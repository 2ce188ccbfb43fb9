import RasdModel

/// A rule of the archive's structure that is broken; the word stands in the error's details.
enum ZipFlaw: String, Error {
  // The archive
  case bytesBefore = "bytes-before-first-entry"
  case bytesAfter = "bytes-after-end-record"
  case comment = "archive-comment"
  case severalDisks = "several-disks"
  case endRecord = "end-record"
  case directoryPlace = "directory-place"
  case directoryRecord = "directory-record"
  case entryCount = "entry-count"
  case tooManyEntries = "too-many-entries"
  case gap = "gap-between-entries"
  case overlap = "overlapping-entries"

  // An entry
  case encryption
  case method
  case name
  case link
  case duplicateName = "duplicate-name"
  case unlistedTable = "unlisted-table"
  case entrySize = "entry-size"
  case extraField = "extra-field"
  case unicodePath = "unicode-path"
  case localHeader = "local-header"
  case localName = "local-name"
  case localFlags = "local-flags"
  case localMethod = "local-method"
  case localSize = "local-size"
  case localChecksum = "local-checksum"
  case descriptor

  // Bundles only
  case hiddenArchive = "hidden-archive"

  func error(entry: [UInt8]? = nil, at offset: Int? = nil) -> RasdError {
    var details: [String: RasdError.Detail] = ["rule": .text(rawValue)]
    if let entry { details["entry"] = .name(entry) }
    if let offset { details["offset"] = .number(Int64(offset)) }
    return RasdError(.integrity, .unsafeContainer, details)
  }
}
