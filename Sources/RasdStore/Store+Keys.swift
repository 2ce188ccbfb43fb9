package import RasdCrypto
package import RasdModel

extension Store {
  /// The slots that open the store.
  package var slots: [KeySlot] { slotsFile.slots }

  /// Adds a slot for its key, which `wrap` makes.
  package func addSlot(
    _ wrap: (ContentKey, ExportID) throws(RasdError) -> KeySlot
  ) throws(RasdError) {
    var changed = slotsFile
    changed.slots.append(try wrap(key, id))
    guard KeySlot.countBounds.contains(changed.slots.count) else {
      throw RasdError(
        .unavailable,
        .tooManySlots,
        ["limit": .number(Int64(KeySlot.countBounds.upperBound))]
      )
    }
    try write(changed)
  }

  /// Removes a slot, counted from 0; the last one stays, since nothing would open the store.
  package func removeSlot(_ index: Int) throws(RasdError) {
    var changed = slotsFile
    guard changed.slots.indices.contains(index) else {
      throw RasdError(.unavailable, .slotUnknown, ["slot": .number(Int64(index))])
    }
    changed.slots.remove(at: index)
    guard changed.slots.contains(where: { $0.kind != nil }) else {
      throw RasdError(.unavailable, .lastSlot)
    }
    try write(changed)
  }

  private func write(_ slots: SlotsFile) throws(RasdError) {
    guard access == .writing else { throw RasdError(.unavailable, .readOnly) }
    var slots = slots
    slots.generation += 1
    try slots.write(directory)
    slotsFile = slots
  }
}
