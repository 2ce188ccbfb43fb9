import RasdModel

/// Where the central directory lies, out of the record that ends the archive.
struct ZipEnd {
  let entries: Int
  let directory: Range<Int>

  /// Finds and proves the end record (and its ZIP64 forms), which must be the file's last bytes.
  ///
  /// Throws `truncated` where there is none and the file begins like an archive,
  /// `not-an-export` where it doesn't, `unsafe-container` where the record breaks a rule.
  init(of source: ByteSource, rules: some ZipRules) throws(RasdError) {
    guard source.size > 0 else { throw RasdError(.corrupt, .empty) }
    let at = try Self.find(in: source, rules: rules)
    let record = try source.read(at: at, count: ZipRecord.endSize)
    let end = record.span
    var onDisk = end.u16(8)
    var entries = end.u16(10)
    var size = end.int32(12)
    var offset = end.int32(16)
    var last = at
    var disks = [end.u16(4), end.u16(6)]

    if let large = try Self.largeEnd(in: source, before: at) {
      let record = large.record.span
      guard let all = record.int64(32), let here = record.int64(24), let bytes = record.int64(40),
        let start = record.int64(48),
        // What the small record says must be the same or stand aside.
        (entries == all && onDisk == here)
          || (entries == ZipRecord.elsewhere16 && onDisk == ZipRecord.elsewhere16),
        size == bytes || size == ZipRecord.elsewhere32,
        offset == start || offset == ZipRecord.elsewhere32
      else { throw ZipFlaw.endRecord.error(at: large.offset) }
      (entries, onDisk, size, offset, last) = (all, here, bytes, start, large.offset)
      disks = disks.map { $0 == ZipRecord.elsewhere16 ? 0 : $0 }
      disks += [record.int32(16), record.int32(20)]
    }

    guard disks.allSatisfy({ $0 == 0 }) else { throw ZipFlaw.severalDisks.error(at: at) }
    guard onDisk == entries else { throw ZipFlaw.entryCount.error(at: at) }
    let (upper, overflow) = offset.addingReportingOverflow(size)
    guard !overflow, upper == last else { throw ZipFlaw.directoryPlace.error(at: at) }
    guard entries <= rules.mostEntries else { throw ZipFlaw.tooManyEntries.error(at: at) }
    guard entries <= size / ZipRecord.directorySize else { throw ZipFlaw.entryCount.error(at: at) }
    self.entries = entries
    directory = offset..<upper
  }

  /// The ZIP64 end record that a locator right before the end record points at.
  private static func largeEnd(
    in source: ByteSource,
    before end: Int
  ) throws(RasdError) -> (record: [UInt8], offset: Int)? {
    let locatorAt = end - ZipRecord.locatorSize
    guard locatorAt >= 0 else { return nil }
    let locator = try source.read(at: locatorAt, count: ZipRecord.locatorSize)
    guard locator.span.u32(0) == ZipRecord.locatorSignature else { return nil }
    guard locator.span.int32(4) == 0, locator.span.int32(16) <= 1 else {
      throw ZipFlaw.severalDisks.error(at: locatorAt)
    }
    guard let at = locator.span.int64(8), at <= locatorAt - ZipRecord.end64Size else {
      throw ZipFlaw.endRecord.error(at: locatorAt)
    }
    let record = try source.read(at: at, count: ZipRecord.end64Size)
    // Its length counts neither its signature nor itself: it ends where the locator begins.
    guard record.span.u32(0) == ZipRecord.end64Signature,
      record.span.int64(4) == locatorAt - at - 12
    else { throw ZipFlaw.endRecord.error(at: at) }
    return (record, at)
  }

  /// The end record's offset: the file's last bytes, but for a comment where the rules allow one.
  private static func find(in source: ByteSource, rules: some ZipRules) throws(RasdError) -> Int {
    let last = source.size - ZipRecord.endSize
    if last >= 0 {
      let record = try source.read(at: last, count: ZipRecord.endSize)
      if record.span.u32(0) == ZipRecord.endSignature {
        guard record.span.u16(20) == 0 else { throw ZipFlaw.comment.error(at: last) }
        return last
      }
    }
    let tail = min(source.size, ZipRecord.endSize + ZipRecord.longestComment)
    let bytes = try source.read(at: source.size - tail, count: tail)
    for i in stride(from: tail - ZipRecord.endSize, through: 0, by: -1)
    where bytes.span.u32(i) == ZipRecord.endSignature {
      let at = source.size - tail + i
      // Any four bytes can look like a signature. One that closes its directory is a real one.
      let hasLocator =
        i >= ZipRecord.locatorSize
        && bytes.span.u32(i - ZipRecord.locatorSize) == ZipRecord.locatorSignature
      guard hasLocator || bytes.span.int32(i + 12) + bytes.span.int32(i + 16) == at else {
        continue
      }
      guard i + ZipRecord.endSize + bytes.span.u16(i + 20) == tail else {
        throw ZipFlaw.bytesAfter.error(at: at + ZipRecord.endSize)
      }
      guard rules.allowsComment else { throw ZipFlaw.comment.error(at: at) }
      return at
    }
    throw try noEnd(source)
  }

  /// A file that begins like an archive (even with less than a signature) has lost its end.
  private static func noEnd(_ source: ByteSource) throws(RasdError) -> RasdError {
    let head = try source.read(at: 0, count: min(4, source.size))
    let signature = unsafe withUnsafeBytes(of: ZipRecord.localSignature.littleEndian) {
      unsafe Array($0)
    }
    return head == Array(signature.prefix(head.count))
      ? RasdError(.corrupt, .truncated, ["offset": .number(Int64(source.size))])
      : RasdError(.corrupt, .notAnExport)
  }
}
