import Dispatch
import RasdCrypto
import RasdModel

@testable import RasdSalvage

enum SalvageTargets {
  @Sendable static func database(_ bytes: Span<UInt8>) {
    salvage(database: [UInt8](copying: bytes))
  }

  /// Under a raw key that no page is sealed with.
  @Sendable static func encrypted(_ bytes: Span<UInt8>) {
    var options = PageSource.Options()
    let key = [UInt8](repeating: UInt8(ascii: "7"), count: 64)
    if let raw = try? RawKey(key.span) { options.keys = [.raw(raw.secret, salt: nil)] }
    salvage(database: [UInt8](copying: bytes), options: options)
  }

  @Sendable static func wal(_ bytes: Span<UInt8>) {
    salvage(wals: [[UInt8](copying: bytes)])
  }

  @Sendable static func journal(_ bytes: Span<UInt8>) {
    salvage(journals: [[UInt8](copying: bytes)])
  }

  @Sendable static func record(_ bytes: Span<UInt8>) {
    var fields: [RecordField] = []
    let fit = RecordHeader.read(bytes, size: bytes.count, into: &fields)
    if fit == .exact { precondition(fields.last.map { $0.end == bytes.count } ?? true) }
  }

  @Sendable static func schema(_ bytes: Span<UInt8>) {
    _ = TableParser.parse(bytes)
    _ = IndexSchema.parse(bytes)
  }

  /// What a blob becomes is JSON, if need be with what only a strict reader refuses.
  @Sendable static func jsonb(_ bytes: Span<UInt8>) {
    var text: [UInt8] = []
    guard (try? JSONB.write(bytes, to: &text)) != nil else { return }
    var rules = JSONRules.strict
    rules.duplicates = .kept
    rules.depth = 10_000
    do {
      _ = try JSONValue.parse(text, rules: rules)
    } catch {
      let kept: [JSONFault] = [.numberOutOfRange, .loneSurrogate]
      precondition(kept.contains(error.fault), "JSONB that is not JSON")
    }
  }

  @Sendable static func profile(_ bytes: Span<UInt8>) { _ = try? Profile(json: bytes) }

  /// From bytes to rows and the ledger, whose sums agree.
  private static func salvage(
    database: [UInt8] = [],
    wals: [[UInt8]] = [],
    journals: [[UInt8]] = [],
    options: PageSource.Options = .init()
  ) {
    guard let namespace = Namespace("example.u_1"),
      let source = try? PageSource.open(
        database: ByteStore(database),
        wals: wals.map { ByteStore($0) },
        journals: journals.map { ByteStore($0) },
        options: options
      )
    else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      var options = Salvage.Options(namespace: namespace)
      options.workers = 1
      var salvage = Salvage(source, profiles: [], options: options)
      try? await salvage.survey()
      _ = try? await salvage.rows { _ in }
      done.signal()
    }
    done.wait()
  }
}
