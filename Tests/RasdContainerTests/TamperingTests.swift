import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdContainer

/// Whatever is done to an export: never taken for whole with other content, never a crash, and
/// the reason is one of the format's.
@Suite struct TamperingTests {
  private static let reasons: Set<Reason> = [
    .wrongKey, .noMatchingSlot, .kdfLimits, .manifestInvalid, .unsupportedVersion,
    .plaintextRefused, .entryDamaged, .manifestAltered, .truncated, .entryMissing,
    .countMismatch, .totalHashMismatch, .partOrder, .unsafeContainer, .empty, .notAnExport,
  ]

  /// A small export, what it holds, and a place for its changed copies.
  private struct Subject {
    let bytes: [UInt8]
    let content: Content
    let folder: TemporaryDirectory

    init(_ suite: Suite) throws {
      bytes = try Sample.small(suite).bytes()
      folder = try TemporaryDirectory()
      content = try Content.read(folder.write(bytes, to: "good")).0
    }

    /// Why the bytes are refused; nil where they are whole, which they may be only with the
    /// same content.
    func refusal(
      _ bytes: [UInt8],
      _ what: String,
      location: SourceLocation = #_sourceLocation
    ) throws -> RasdError? {
      let path = try folder.write(bytes, to: "x")
      do {
        let (content, result) = try Content.read(path)
        if let cause = result.cause {
          #expect(reasons.contains(cause.reason), "\(what): \(cause)", sourceLocation: location)
          return cause
        }
        #expect(content == self.content, "\(what) was taken", sourceLocation: location)
        return nil
      } catch {
        let error = try #require(error as? RasdError)
        #expect(reasons.contains(error.reason), "\(what): \(error)", sourceLocation: location)
        return error
      }
    }

    /// Why the bytes are refused where an earlier reading took all before an entry.
    func failure(from start: Int, _ bytes: [UInt8]) throws -> RasdError? {
      do {
        let path = try folder.write(bytes, to: "x")
        let reader = try ExportFile(path: path).unlock(Sample.keys, plaintext: .refused)
        try reader.decode(
          from: start,
          workers: 1,
          makeRows: { { part, _ in part.rows } },
          makeBlob: { bytes, _ in bytes.count },
          onRows: { (_, _: Int) in },
          onBlob: { _, _, _ in }
        )
        return nil
      } catch {
        return try #require(error as? RasdError)
      }
    }
  }

  @Test(arguments: Suite.allCases)
  func everyByteFlipped(_ suite: Suite) throws {
    let subject = try Subject(suite)
    var generator = SeededGenerator(for: "everyByteFlipped")
    var refused = 0
    for i in subject.bytes.indices {
      var bytes = subject.bytes
      bytes[i] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      if try subject.refusal(bytes, "byte \(i)") != nil { refused += 1 }
    }
    // Dates, versions and attributes may say anything; bytes of entries and sizes may not.
    #expect(refused > subject.bytes.count * 3 / 4)
  }

  @Test(arguments: Suite.allCases)
  func cutAtEveryLength(_ suite: Suite) throws {
    let subject = try Subject(suite)
    for length in subject.bytes.indices {
      let error = try subject.refusal(Array(subject.bytes.prefix(length)), "cut at \(length)")
      #expect(error?.reason == (length == 0 ? .empty : .truncated), "\(length)")
    }
  }

  /// Every byte of every entry, with checksums that fit.
  @Test(arguments: Suite.allCases)
  func everyByteOfEveryEntryChanged(_ suite: Suite) throws {
    let subject = try Subject(suite)
    let forge = try ZipForge(of: subject.bytes)
    for (e, entry) in forge.entries.enumerated() {
      let name = try #require(EntryName(entry.name))
      // In an export that is not sealed, nothing but the copy guards the manifest, and nothing
      // the private facts.
      if suite == .none, name == .meta { continue }
      // The short form takes every seventh byte.
      for i in stride(from: e % 7, to: entry.data.count, by: Soak.isLong ? 1 : 7) {
        var changed = forge
        var data = entry.data
        data[i] ^= 0x10
        changed.entries[e] = ZipForge.Entry(entry.name, data)
        let path = try subject.folder.write(changed.build(), to: "x")
        let result = Result { try Content.read(path) }
        if case .success((let content, let verified)) = result, verified.isWhole {
          // The bits after the end of a DEFLATE stream say nothing.
          if content == subject.content { continue }
          guard case .blob = name, suite == .none else {
            Issue.record("\(name) byte \(i) was taken")
            continue
          }
          #expect(
            verified.badBlobs.map { EntryName.blob(id: $0.id, part: 0) }
              == [name.with(part: 0)]
          )
        } else if suite != .none, name != .manifest {
          _ = try subject.refusal(changed.build(), "\(name) byte \(i)")
          let cause = try #require(try result.get().1.cause)
          #expect(cause.reason == (name == .manifestCopy ? .manifestAltered : .entryDamaged))
        }
      }
    }
  }

  @Test(arguments: [Suite.chunked, .envelope])
  func manifestAndCopyChangedAlike(_ suite: Suite) throws {
    let subject = try Subject(suite)
    let forge = try ZipForge(of: subject.bytes)
    let manifest = forge.entries[0].data
    func with(_ data: [UInt8]) -> [UInt8] {
      var changed = forge
      changed.entries[0] = .init(forge.entries[0].name, data)
      let last = changed.entries.count - 1
      changed.entries[last] = .init(forge.entries[last].name, data)
      return changed.build()
    }
    for i in manifest.indices {
      var data = manifest
      data[i] ^= 1
      let error = try subject.refusal(with(data), "manifest byte \(i)")
      #expect(error != nil, "manifest byte \(i)")
    }
    let text = String(decoding: manifest, as: UTF8.self)
    let renamed = text.replacing("wfp-jo.u_4821", with: "wfp-jo.u_4822")
    #expect(try subject.refusal(with(Array(renamed.utf8)), "")?.reason == .manifestAltered)
    // Slots may be swapped or dropped without making a key of it: the seals tell.
    let json = try JSONValue.parse(manifest)
    let slots = try #require(json["slots"]?.array)
    for changed in [Array(slots.reversed()), Array(slots.dropLast()), [slots[0], slots[0]]] {
      let members = try #require(json.members).map {
        $0.name == "slots" ? JSONValue.Member("slots", .array(changed)) : $0
      }
      let data = JSONValue.object(members).text
      #expect(try subject.refusal(with(data), "slots")?.reason == .manifestAltered)
    }
  }

  @Test(arguments: Suite.allCases)
  func entriesDroppedDoubledSwappedAndRenamed(_ suite: Suite) throws {
    let subject = try Subject(suite)
    let forge = try ZipForge(of: subject.bytes)
    func reason(_ what: String, _ change: (inout ZipForge) -> Void) throws -> Reason? {
      var changed = forge
      change(&changed)
      return try subject.refusal(changed.build(), what)?.reason
    }
    for (i, entry) in forge.entries.enumerated() {
      let name = try #require(EntryName(entry.name))
      let dropped = try reason("drop \(name)") { $0.entries.remove(at: i) }
      #expect(dropped == (name == .end ? .truncated : .entryMissing), "drop \(name)")
      #expect(try reason("double \(name)") { $0.entries.append(entry) } == .unsafeContainer)
      for (j, other) in forge.entries.enumerated() where j != i {
        let otherName = try #require(EntryName(other.name))
        // The bytes of one under the name of the other.
        let replaced = try reason("\(name) for \(otherName)") {
          $0.entries[j] = ZipForge.Entry(other.name, entry.data)
        }
        // Not sealed, the private facts may be any object.
        let isFree = entry.data == other.data || (suite == .none && otherName == .meta)
        #expect(replaced != nil || isFree, "\(name) for \(otherName)")
        guard j > i else { continue }
        let swapped = try reason("\(name) and \(otherName) swapped") { $0.entries.swapAt(i, j) }
        let isOrderFree = Self.mayStandInAnyOrder(name, otherName)
        #expect((swapped == nil) == isOrderFree, "\(name) and \(otherName)")
        if !isOrderFree, i > 0 {
          #expect(swapped == .partOrder, "\(name) and \(otherName) swapped")
        }
      }
    }
    let lost = try reason("rename") { $0.entries[3].name = Array("attachments/other".utf8) }
    #expect(lost == (suite == .none ? .entryMissing : .entryDamaged))
  }

  /// What an earlier run read of an export is passed over, and must still be where it was.
  @Test(arguments: [Suite.chunked, .envelope])
  func entriesDroppedAndSwappedBeforeItIsGoneOnWith(_ suite: Suite) throws {
    let subject = try Subject(suite)
    let forge = try ZipForge(of: subject.bytes)
    let names = try forge.entries.map { try #require(EntryName($0.name)) }
    for start in 1..<(names.count - 3) {
      #expect(try subject.failure(from: start, forge.build()) == nil, "from \(start)")
      for (i, name) in names.enumerated().dropFirst().dropLast(3) {
        var changed = forge
        changed.entries.remove(at: i)
        let dropped = try subject.failure(from: start, changed.build())
        #expect(dropped != nil, "\(name) dropped, from \(start)")
        for (j, other) in names.enumerated() where j > i && j < names.count - 1 {
          if case .blob = name, case .blob = other { continue }
          var changed = forge
          changed.entries.swapAt(i, j)
          let swapped = try subject.failure(from: start, changed.build())
          #expect(swapped != nil, "\(name) and \(other) swapped, from \(start)")
        }
      }
    }
  }

  /// Two blobs of one part each may stand in any order.
  private static func mayStandInAnyOrder(_ a: EntryName, _ b: EntryName) -> Bool {
    guard case .blob(let x, 0) = a, case .blob(let y, 0) = b else { return false }
    return x.text != "photo-1" && y.text != "photo-1"
  }

  /// Under any name that no entry has, and beside itself under that name.
  @Test(arguments: Suite.allCases)
  func everyEntryRenamedAndCopiedUnderAnotherName(_ suite: Suite) throws {
    let subject = try Subject(suite)
    let forge = try ZipForge(of: subject.bytes)
    let names = Set(forge.entries.map(\.name))
    for (i, entry) in forge.entries.enumerated() {
      let name = try #require(EntryName(entry.name))
      let next = name.with(part: (name.part ?? 0) + 1).bytes
      let others = ["attachments/other", "x_other.jsonl", "forms.jsonl.000777", "kv.jsonl.000001"]
      for other in [next] + others.map({ Array($0.utf8) }) where !names.contains(other) {
        let text = String(decoding: other, as: UTF8.self)
        var renamed = forge
        renamed.entries[i].name = other
        #expect(try subject.refusal(renamed.build(), "") != nil, "\(name) renamed to \(text)")
        var copied = forge
        var copy = entry
        copy.name = other
        copied.entries.insert(copy, at: i + 1)
        #expect(try subject.refusal(copied.build(), "") != nil, "\(name) copied to \(text)")
      }
    }
  }

  /// Slots that another export of the same device carries for the same keys open nothing here.
  @Test(arguments: [Suite.chunked, .envelope])
  func slotsOfAnotherExport(_ suite: Suite) throws {
    let subject = try Subject(suite)
    let forge = try ZipForge(of: subject.bytes)
    var other = try Sample.small(suite)
    other.exportID = "0199a7c2-9999-7222-8333-444455556666"
    let donor = try JSONValue.parse(try ZipForge(of: other.bytes()).entries[0].data)
    let manifest = try JSONValue.parse(forge.entries[0].data)
    let (mine, theirs) = try (#require(manifest["slots"]?.array), #require(donor["slots"]?.array))
    let commit = try #require(donor["keyCommit"])
    func reason(_ slots: [JSONValue], commit: JSONValue? = nil) throws -> Reason? {
      let members = try #require(manifest.members).map { member in
        switch member.name {
        case "slots": JSONValue.Member("slots", .array(slots))
        case "keyCommit": JSONValue.Member("keyCommit", commit ?? member.value)
        default: member
        }
      }
      var changed = forge
      let data = JSONValue.object(members).text
      for i in [0, forge.entries.count - 1] {
        changed.entries[i] = .init(forge.entries[i].name, data)
      }
      return try subject.refusal(changed.build(), "slots")?.reason
    }
    #expect(try reason(theirs) == .wrongKey)
    // With the commitment that goes with them the key is theirs too, if their id let them open.
    #expect(try reason(theirs, commit: commit) == .wrongKey)
    for i in mine.indices {
      var mixed = mine
      mixed[i] = theirs[i]
      // The key given is for the first slot; the seals show that another was exchanged.
      #expect(try reason(mixed) == (i == 0 ? .wrongKey : .manifestAltered), "slot \(i)")
    }
    #expect(try reason(mine + theirs) == .manifestAltered)
  }

  /// Another export of the same device, sealed with keys from the same recipients.
  @Test(arguments: Suite.allCases)
  func entriesOfAnotherExport(_ suite: Suite) throws {
    let subject = try Subject(suite)
    var other = try Sample.small(suite)
    other.exportID = "0199a7c2-9999-7222-8333-444455556666"
    other.rows[.submissions]?[0].replace(#""age":40"#, with: #""age":77"#)
    let forge = try ZipForge(of: subject.bytes)
    let donor = try ZipForge(of: other.bytes())
    for i in forge.entries.indices {
      var changed = forge
      changed.entries[i] = donor.entries[i]
      let error = try subject.refusal(changed.build(), "entry \(i)")
      let isSame = forge.entries[i].data == donor.entries[i].data
      #expect((error == nil) == isSame, "entry \(i)")
    }
  }
}
