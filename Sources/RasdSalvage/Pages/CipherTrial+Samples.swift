extension CipherTrial {
  /// A stored page and the number it should have.
  struct Sample {
    let number: UInt32
    let bytes: [UInt8]
  }

  /// The first pages of a layout and others spread over the file; with a count of 0 pages of the
  /// sidecars.
  func sample(_ layout: PageLayout, _ count: Int) -> [Sample] {
    if count == 0 { return sidecarSamples(layout.pageSize) }
    let last = layout.count(fileSize: store.size)
    var numbers: [UInt32] = [1, 2, 3].filter { $0 <= last }
    if count > numbers.count, last > 3 {
      let step = max(1, Double(last - 3) / Double(count - numbers.count))
      var at = 4.0
      while at <= Double(last) {
        numbers.append(UInt32(at))
        at += step
      }
    }
    var samples: [Sample] = []
    for number in numbers.prefix(count) where number != layout.lockBytePage {
      let offset = layout.offset(of: number)
      guard offset >= 0 else { continue }
      let bytes = store.bytes(at: offset, count: layout.pageSize)
      guard bytes.count == layout.pageSize, bytes.contains(where: { $0 != 0 }) else { continue }
      samples.append(Sample(number: number, bytes: bytes))
    }
    return samples
  }

  /// A few pages of sidecars, which tell where the file itself is gone.
  private func sidecarSamples(_ pageSize: Int) -> [Sample] {
    var samples: [Sample] = []
    for wal in wals where wal.pageSize == pageSize {
      for index in wal.frames.indices.prefix(Self.sidecarSamples) {
        let bytes = wal.store.bytes(at: wal.pageOffset(ofFrame: index), count: pageSize)
        samples.append(Sample(number: wal.frames[index].number, bytes: bytes))
      }
    }
    for journal in journals where journal.pageSize == pageSize {
      for record in journal.records.prefix(Self.sidecarSamples) {
        let bytes = journal.store.bytes(at: record.offset, count: pageSize)
        samples.append(Sample(number: record.number, bytes: bytes))
      }
    }
    return samples.filter { $0.bytes.count == pageSize }
  }

  private static let sidecarSamples = 8
}
