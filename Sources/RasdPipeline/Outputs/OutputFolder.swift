import Glibc
import RasdContainer
import RasdModel
import RasdReport

/// A folder of plaintext for its owner alone to read; each file appears in it when it is
/// complete, so a run that is killed leaves none cut short.
///
/// Until all is in it, it holds a mark by which the next run knows that it may begin anew.
struct OutputFolder {
  let path: String

  private static let mark = ".rasdkit-unfinished"

  /// Makes the folder, or takes one that is empty or holds an earlier export that may go.
  ///
  /// - Throws: `output-exists` where something else stands there.
  init(
    _ path: String,
    _ overwriting: Overwriting,
    _ run: Run,
    holds isOurs: (Substring) -> Bool = OutputFolder.isOfExport
  ) throws(RasdError) {
    let trimmed = path.hasSuffix("/") && path.utf8.count > 1 ? String(path.dropLast()) : path
    self.path = trimmed
    switch PathFacts.kind(trimmed) {
    case nil: if run.rules.writing == .real { try Outputs.makeFolder(trimmed) }
    case .folder: try clear(overwriting, run, isOurs)
    default: throw RasdError(.unavailable, .outputExists, ["path": .text(trimmed)])
    }
    guard run.rules.writing == .real, PathFacts.kind(markPath) != .file else { return }
    try write(Self.mark) { _ in }
  }

  private var markPath: String { "\(path)/\(Self.mark)" }

  /// Says that all is in it.
  func finish() { unsafe unlink(markPath) }

  /// Makes a folder in it, or takes one that is there, but no link that leads elsewhere.
  func makeFolder(_ name: String) throws(RasdError) {
    let inner = "\(path)/\(name)"
    try Outputs.makeFolder(inner)
    guard PathFacts.kind(inner) == .folder else {
      throw RasdError(.unavailable, .outputExists, ["path": .text(inner)])
    }
  }

  /// Makes a file, which `fill` writes.
  func write(
    _ name: String,
    _ fill: (BufferedOutput) throws(RasdError) -> Void
  ) throws(RasdError) {
    let output = try BufferedOutput("\(path)/\(name)", .refused)
    try fill(output)
    try output.commit()
  }

  /// Takes out an earlier export, or what a run left that did not finish, having said what that
  /// loses; anything else stays and is refused.
  private func clear(
    _ overwriting: Overwriting,
    _ run: Run,
    _ isOurs: (Substring) -> Bool
  ) throws(RasdError) {
    let files = FolderWalk(path).files.filter { $0 != markPath }
    guard !files.isEmpty else { return }
    let areOurs = files.allSatisfy { file in
      // Where no file can be nameless, a killed run leaves one with a name of this kind.
      isOurs(file.dropFirst(path.count + 1)) || file.contains("/.rasdkit-")
    }
    let isUnfinished = PathFacts.kind(markPath) == .file
    guard overwriting == .allowed || isUnfinished, areOurs else {
      throw RasdError(.unavailable, .outputExists, ["path": .text(path)])
    }
    try run.find(
      FindingEvent(
        isUnfinished ? .notice : .warning,
        .outputReplaced,
        subject: ["path": .text(path)],
        details: ["files": .number(Int64(files.count))]
      )
    )
    guard run.rules.writing == .real else { return }
    for file in files { unsafe unlink(file) }
  }

  /// Whether an earlier JSONL export may have left a file of this name.
  static func isOfExport(_ name: Substring) -> Bool {
    name.hasPrefix("attachments/") || (name.hasSuffix(".jsonl") && !name.contains("/"))
  }
}

/// A file whose lines are gathered before they are written.
final class BufferedOutput {
  /// Enough that a write costs nothing beside what is written.
  private static let bufferSize = 1 << 18

  private let file: OutputFile
  private var buffer: [UInt8] = []

  init(_ path: String, _ overwriting: Overwriting) throws(RasdError) {
    file = try OutputFile(path, replacing: overwriting == .allowed)
  }

  func append(line: [UInt8]) throws(RasdError) {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferSize { try flush() }
  }

  func append(_ bytes: [UInt8]) throws(RasdError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Leaves bytes out that read as zeros and take no space.
  func skip(_ count: Int) throws(RasdError) {
    try flush()
    try file.skip(count)
  }

  func commit() throws(RasdError) {
    try flush()
    try file.commit()
  }

  private func flush() throws(RasdError) {
    var bytes = exchange(&buffer, with: [])
    try file.write(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    buffer = bytes
  }
}
