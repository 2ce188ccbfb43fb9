import RasdModel

/// The rules of a ZIP bundle: the structure of any archive, safe names, no bombs.
struct BundleZipRules: ZipRules {
  let mostEntries = BundleLimits.entries
  let allowsPrefix = true
  let allowsComment = true
  private var names = BundleNames()

  mutating func admit(_ entry: ZipCandidate) throws(ZipFlaw) {
    guard let name = BundleName(entry.name) else { throw .name }
    guard names.insert(name) else { throw .duplicateName }
    guard !name.isFolder || entry.size == 0 else { throw .entrySize }
    let type = entry.mode & 0xF000
    guard type == 0 || type == 0x8000 || (type == 0x4000 && name.isFolder) else { throw .link }
  }

  func inspect(
    _ entry: ZipEntry,
    _ candidate: ZipCandidate,
    in source: ByteSource
  ) throws(RasdError) {
    guard !BundleLimits.isBomb(stored: entry.storedSize, size: entry.size) else {
      throw .limit(candidate.name)
    }
    // A reader that goes forward can't know where such an entry ends, and may find others in it.
    guard !entry.isDeflated, candidate.flags & ZipRecord.hasDescriptor != 0 else { return }
    var finder = SignatureFinder(source, within: entry.dataOffset..<entry.dataEnd)
    if try finder.next(from: entry.dataOffset) != nil {
      throw ZipFlaw.hiddenArchive.error(entry: candidate.name, at: entry.offset)
    }
  }
}
