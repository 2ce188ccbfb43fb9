import RasdContainer
package import RasdCrypto
package import RasdModel
import RasdReport
import RasdStore

/// The key slots of a store: list them, add some, remove one.
package struct StoreKeysJob: Sendable {
  private let place: StorePlace

  package init(store: StorePlace) { place = store }

  /// One slot, by the number that names it to `remove`.
  package struct Slot: Sendable {
    package let number: Int
    package let words: String
  }

  /// Needs no key.
  package func list() throws(RasdError) -> [Slot] {
    Self.slots(try Store.slots(at: place.path).slots)
  }

  /// Adds a slot for each key, and one for `recovery` where there is such a secret.
  package func add(
    _ recipients: RecipientInputs,
    recovery: RawKey?,
    _ run: Run
  ) throws(RasdError) -> [Slot] {
    let keys = try recipients.load(run)
    let store = try place.openForSlots(.writing, run)
    defer { store.close() }
    for key in keys + (recovery.map { [.rawKey($0)] } ?? []) {
      try store.addSlot { (content, id) throws(RasdError) in try key.slot(of: content, id) }
    }
    place.adviseOfSlots(store, run)
    return Self.slots(store.slots)
  }

  package func remove(_ number: Int, _ run: Run) throws(RasdError) -> [Slot] {
    let store = try place.openForSlots(.writing, run)
    defer { store.close() }
    guard (1...store.slots.count).contains(number) else {
      throw RasdError(
        .unavailable,
        .slotUnknown,
        ["slot": .number(Int64(number)), "slots": .number(Int64(store.slots.count))]
      )
    }
    try store.removeSlot(number - 1)
    place.adviseOfSlots(store, run)
    return Self.slots(store.slots)
  }

  private static func slots(_ slots: [KeySlot]) -> [Slot] {
    slots.enumerated().map { Slot(number: $0 + 1, words: $1.words) }
  }
}
