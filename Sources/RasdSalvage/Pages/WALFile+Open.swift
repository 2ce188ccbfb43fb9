extension WALFile {
  /// Reads a WAL's index; `nil` where no frame can be made out.
  ///
  /// With a sound header the file is taken at its word. Else page size and byte order are those
  /// under which the frames continue each other; `pageSizes` are tried first.
  static func open(_ store: ByteStore, pageSizes: [Int]) -> WALFile? {
    let bytes = store.bytes(at: 0, count: headerSize)
    guard let header = WALHeader(bytes.span) else { return nil }
    if header.isSound {
      return indexed(store, header.pageSize, header.order, seed: header, lost: false)
    }
    let all = pageSizes + PageLayout.pageSizes.filter { !pageSizes.contains($0) }
    var best: (trust: Int, size: Int, order: WALChecksum.Order)?
    for size in all {
      for order in WALChecksum.Order.allCases {
        let trust = trust(store, size, order)
        if trust > best?.trust ?? 0 { best = (trust, size, order) }
      }
    }
    guard let best else { return nil }
    // The stored checksum and salts may have outlived the rest of the header.
    return indexed(store, best.size, best.order, seed: header, lost: true)
  }

  /// How far the first frames speak for a page size and byte order: 2 for each that continues the
  /// one before, 1 where only the salts agree or a lone frame fills the file exactly.
  private static func trust(_ store: ByteStore, _ size: Int, _ order: WALChecksum.Order) -> Int {
    let step = frameHeaderSize + size
    let bytes = store.bytes(at: Int64(headerSize), count: step * probedFrames)
    let frames = bytes.count / step
    guard frames > 0, let first = WALFrameHeader(bytes.span) else { return 0 }
    if frames == 1 {
      let exact = store.size == Int64(headerSize + step)
      return exact && first.number > 0 && first.salts != 0 ? 1 : 0
    }
    var trust = 0
    for index in 1..<frames {
      let before = bytes.span.extracting(((index - 1) * step)...)
      let here = bytes.span.extracting((index * step)...)
      guard let previous = WALFrameHeader(before), let own = WALFrameHeader(here) else { break }
      var sum = previous.checksum
      sum.add(here.extracting(0..<8), order)
      sum.add(here.extracting(frameHeaderSize..<step), order)
      // Zeros are a chain of their own.
      if sum == own.checksum, own.number > 0, own.salts != 0 {
        trust += 2
      } else if own.salts == previous.salts, own.salts != 0, own.number > 0 {
        trust += 1
      }
    }
    return trust
  }

  /// Enough frames that one damaged among them decides nothing.
  private static let probedFrames = 6

  /// Walks every frame once, front to back, in windows of about 1 MiB.
  private static func indexed(
    _ store: ByteStore,
    _ pageSize: Int,
    _ order: WALChecksum.Order,
    seed header: WALHeader,
    lost: Bool
  ) -> WALFile? {
    let step = frameHeaderSize + pageSize
    let window = max(1, (1 << 20) / step)
    var walk = Walk(order: order, salts: lost ? nil : header.salts, seeds: [header.checksum])
    var at = Int64(headerSize)
    while at + Int64(step) <= store.size {
      let bytes = store.bytes(at: at, count: step * window)
      let count = bytes.count / step
      guard count > 0 else { break }
      for index in 0..<count {
        walk.take(bytes.span.extracting((index * step)..<((index + 1) * step)))
      }
      at += Int64(count * step)
    }
    guard !walk.frames.isEmpty else { return nil }
    let committedSize = walk.settle()
    return WALFile(
      store: store,
      pageSize: pageSize,
      order: order,
      headerLost: lost,
      sequence: header.isSound ? header.sequence : 0,
      frames: walk.frames,
      committedSize: committedSize
    )
  }

  /// The state of the walk from frame to frame.
  private struct Walk {
    let order: WALChecksum.Order
    /// Of the newest generation, where the header says so.
    let salts: UInt64?
    /// What the next frame's checksum may continue: what the last frame stores, and where that
    /// frame is broken what it should have stored.
    var seeds: [WALChecksum]
    var frames: [Frame] = []
    var frameSalts: [UInt64] = []

    mutating func take(_ bytes: Span<UInt8>) {
      guard let header = WALFrameHeader(bytes) else { return }
      var link = Link.broken
      var computed: WALChecksum?
      for (turn, seed) in seeds.enumerated() where link == .broken {
        var sum = seed
        sum.add(bytes.extracting(0..<8), order)
        sum.add(bytes.extracting(frameHeaderSize..<bytes.count), order)
        computed = computed ?? sum
        guard sum == header.checksum, header.number > 0 else { continue }
        link = .holds
        // Only the stored sum of the last frame was hit, not what it sums up.
        if turn > 0 { frames[frames.count - 1].link = .holds }
      }
      if link == .broken, isChainStart(header) { link = .unknown }
      seeds = [header.checksum]
      if link == .broken, let computed { seeds.append(computed) }
      let frame = Frame(number: header.number, commit: header.commit, link: link, state: .earlier)
      frames.append(frame)
      frameSalts.append(header.salts)
    }

    /// Whether what the frame continues is gone: a lost header, the last frame of a later
    /// generation, or a frame whose stored checksum can't be believed.
    private func isChainStart(_ header: WALFrameHeader) -> Bool {
      guard let last = frames.last, let lastSalts = frameSalts.last else { return salts == nil }
      return last.link == .broken || lastSalts != header.salts
    }

    /// Tells the newest generation from what is left of earlier ones, and what was committed.
    ///
    /// - Returns: the database's size in pages after the last commit, where a sound frame says it.
    mutating func settle() -> UInt32? {
      let newest = salts ?? commonest()
      guard let last = frameSalts.lastIndex(of: newest) else { return nil }
      var commit: Int?
      for index in 0...last {
        // Neither its salts are right nor its sum: damage in the midst of the generation.
        if frameSalts[index] != newest, frames[index].link == .unknown {
          frames[index].link = .broken
        }
        // A damaged frame's mark counts where its salts are right: it is likelier that its page
        // was hit than its 24 bytes of header.
        let isOurs = frames[index].link == .holds || frameSalts[index] == newest
        if isOurs, frames[index].commit != 0 { commit = index }
      }
      for index in 0...last {
        frames[index].state = commit.map { index <= $0 } == true ? .committed : .uncommitted
      }
      return commit.flatMap { frames[$0].link == .holds ? frames[$0].commit : nil }
    }

    /// The salts that the first few frames agree on: a new generation overwrites from the front.
    private func commonest() -> UInt64 {
      let few = frameSalts.prefix(probedFrames)
      let counted = Dictionary(few.map { ($0, 1) }, uniquingKeysWith: +)
      return few.max { counted[$0, default: 0] < counted[$1, default: 0] } ?? 0
    }
  }
}
