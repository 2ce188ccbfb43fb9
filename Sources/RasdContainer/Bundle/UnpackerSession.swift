import Glibc
import RasdModel

/// The parent's side of an unpacking: serves the archive's bytes and judges what comes back.
struct UnpackerSession {
  private let source: ByteSource
  private let process: UnpackerProcess
  private let expected: [ZipEntry]?
  private let folder: String
  private var names = BundleNames()
  private var summary = Bundle.Summary()
  private var entries = 0
  private var bytesOut = 0
  private var bytesServed = 0
  private var member: Unpacking?
  private var buffer: [UInt8] = []

  /// The entry at hand.
  private struct Unpacking {
    let name: BundleName
    /// Nil where the archive does not say.
    let size: Int?
    /// A ZIP's, which the library's word is not taken for.
    let checksum: UInt32?
    var received = 0
    var computed = Checksum()
    /// What came before it was clear whether this may be an export.
    var head: [UInt8] = []
    var spool: SpoolWriter?
    var isDecided = false

    /// A local header and the name of the first entry of every export.
    static let exportHead = ZipRecord.localSize + EntryName.manifest.bytes.count
  }

  init(
    _ source: ByteSource,
    _ process: UnpackerProcess,
    expecting expected: [ZipEntry]?,
    spoolingIn folder: String
  ) {
    (self.source, self.process, self.expected) = (source, process, expected)
    self.folder = folder
  }

  mutating func run(
    _ take: (Bundle.Member) throws(RasdError) -> Void
  ) throws(RasdError) -> Bundle.Summary {
    let size = (0..<8).map { UInt8(truncatingIfNeeded: source.size >> (8 * $0)) }
    guard process.socket.send(size.span) else { throw childIsGone() }
    while true {
      guard process.socket.receive(UnpackerFrame.headSize, into: &buffer),
        let frame = UnpackerFrame(head: buffer.span),
        process.socket.receive(frame.payload, into: &buffer)
      else { throw childIsGone() }
      switch frame.kind {
      case .read: try serve(frame.first, at: frame.second)
      case .entry:
        try finish(take)
        try begin(frame, buffer)
      case .data: try add()
      case .failure:
        // What came whole is not lost with what stands behind it.
        if let member, member.received == member.size { try finish(take) }
        throw failure(frame)
      case .end:
        try finish(take)
        guard expected == nil || entries == expected?.count else {
          throw ZipFlaw.entryCount.error()
        }
        _ = process.reap()
        return summary
      }
    }
  }

  private mutating func serve(_ count: Int, at offset: Int) throws(RasdError) {
    try source.read(at: offset, count: count, into: &buffer)
    bytesServed = max(bytesServed, offset + count)
    guard process.socket.send(buffer.span) else { throw childIsGone() }
  }

  // MARK: - Entries

  private mutating func begin(_ frame: UnpackerFrame, _ given: [UInt8]) throws(RasdError) {
    entries += 1
    guard entries <= BundleLimits.entries,
      let type = UnpackerFrame.EntryType(rawValue: frame.first)
    else { throw .limit(given) }
    var entry: ZipEntry?
    var bytes = given
    if let expected {
      guard entries <= expected.count else { throw ZipFlaw.entryCount.error(entry: given) }
      let proved = expected[entries - 1]
      entry = proved
      // The library may have put it into another charset.
      bytes = try source.read(
        at: proved.offset + ZipRecord.localSize,
        count: Int(proved.nameSize)
      )
    } else {
      while bytes.starts(with: Array("./".utf8)) { bytes.removeFirst(2) }
      // The folder that was packed.
      if type == .folder, bytes.isEmpty || bytes == [UInt8(ascii: ".")] { return }
      if type == .folder, bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      guard type != .other else { throw ZipFlaw.link.error(entry: bytes) }
    }
    guard let name = BundleName(bytes), name.isFolder == (type == .folder) else {
      throw ZipFlaw.name.error(entry: bytes)
    }
    guard expected != nil || names.insert(name) else {
      throw ZipFlaw.duplicateName.error(entry: bytes)
    }
    member = Unpacking(
      name: name,
      size: entry?.size ?? (frame.second >= 0 ? frame.second : nil),
      checksum: entry?.checksum
    )
  }

  private mutating func add() throws(RasdError) {
    guard var entry = member, !entry.name.isFolder else {
      throw ZipFlaw.entrySize.error(entry: Array((member?.name.text ?? "").utf8))
    }
    member = nil
    entry.received += buffer.count
    bytesOut += buffer.count
    let stored = expected == nil ? bytesServed : source.size
    guard entry.received <= entry.size ?? .max,
      !BundleLimits.isBomb(stored: stored, size: bytesOut)
    else { throw .limit(Array(entry.name.text.utf8)) }
    entry.computed.update(buffer.span)
    if let spool = entry.spool {
      try spool.append(buffer.span)
    } else if !entry.isDecided {
      entry.head += buffer
      if entry.head.count >= Unpacking.exportHead { try decide(&entry) }
    }
    member = entry
  }

  /// Spools what begins like an export or is called one.
  private func decide(_ entry: inout Unpacking) throws(RasdError) {
    entry.isDecided = true
    let nameAt = entry.head.dropFirst(ZipRecord.localSize)
    let beginsLikeOne =
      entry.head.starts(with: SignatureFinder.localHeader)
      && nameAt.starts(with: EntryName.manifest.bytes)
    guard beginsLikeOne || entry.name.folded.hasSuffix(".rasdx") else { return }
    let spool = try SpoolWriter(in: folder)
    try spool.append(entry.head.span)
    entry.spool = spool
    entry.head = []
  }

  private mutating func finish(
    _ take: (Bundle.Member) throws(RasdError) -> Void
  ) throws(RasdError) {
    guard var entry = member else { return }
    member = nil
    guard !entry.name.isFolder else { return }
    guard entry.received == entry.size ?? entry.received,
      entry.checksum ?? entry.computed.value == entry.computed.value
    else { throw damaged(.entryDamaged, entry.name.text) }
    if !entry.isDecided { try decide(&entry) }
    guard let spool = entry.spool else {
      summary.others += 1
      return
    }
    summary.exports += 1
    try take(Bundle.Member(name: entry.name.text, source: spool.finish()))
  }

  // MARK: - Failures

  private func failure(_ frame: UnpackerFrame) -> RasdError {
    let name = member?.name.text ?? ""
    switch UnpackerFrame.Failure(rawValue: frame.first) {
    case .truncated: return damaged(.truncated, name)
    case .outOfMemory: return .limit(Array(name.utf8))
    case .damaged, nil: return damaged(.entryDamaged, name)
    }
  }

  /// A child that is ended by its own limits was asked for too much; another signal is damage
  /// that its library did not survive.
  private func childIsGone() -> RasdError {
    let name = member?.name.text ?? ""
    return process.reap() == SIGXCPU ? .limit(Array(name.utf8)) : damaged(.entryDamaged, name)
  }

  private func damaged(_ reason: Reason, _ name: String) -> RasdError {
    RasdError(.corrupt, reason, name.isEmpty ? [:] : ["entry": .text(name)])
  }
}
