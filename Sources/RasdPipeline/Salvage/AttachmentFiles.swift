import RasdContainer
import RasdModel
import RasdSalvage

/// The files that lie beside a database, matched to the attachments that its rows name: by path,
/// then by id, then by size and hash, so that a renamed or moved photo is found.
final class AttachmentFiles {
  struct File {
    /// Relative to the folder of the evidence.
    let name: String
    let path: String
    let size: Int
  }

  enum Match {
    case held(File, SHA256Digest)
    /// The file that should be it holds something else.
    case altered(File, SHA256Digest)
    case absent
  }

  private let files: [File]
  private let bySize: [Int: [Int]]
  private let byStem: [String: [Int]]
  private let byName: [String: Int]
  private var digests: [Int: SHA256Digest] = [:]
  private var named: Set<Int> = []

  /// Folders beside a database file that hold its attachments.
  private static let folders = ["attachments", "thumbs"]

  /// The files of a folder of evidence that are no part of a database and were not taken in another
  /// way; beside a single database file, those of its attachments' folders.
  init(_ evidence: Evidence, isFolder: Bool, without taken: [String] = []) {
    let names =
      isFolder
      ? evidence.others.filter { [taken = Set(taken)] in !taken.contains($0) }
      : Self.folders.flatMap { folder -> [String] in
        let root = "\(evidence.folder)/\(folder)"
        guard PathFacts.kind(root) == .folder else { return [] }
        return FolderWalk(root).files.map { String($0.dropFirst(evidence.folder.utf8.count + 1)) }
      }
    files = names.compactMap { name in
      let path = "\(evidence.folder)/\(name)"
      guard PathFacts.kind(path) == .file, let facts = try? PathFacts.target(path) else {
        return nil
      }
      return File(name: name, path: path, size: facts.bytes)
    }
    bySize = Dictionary(grouping: files.indices, by: { [files] in files[$0].size })
    var stems: [String: [Int]] = [:]
    for (i, file) in files.enumerated() {
      for stem in Self.stems(file.name) { stems[stem, default: []].append(i) }
    }
    byStem = stems
    byName = Dictionary(files.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// Files that no row named.
  var unnamed: [File] { files.indices.filter { !named.contains($0) }.map { files[$0] } }

  func match(_ facts: AttachmentFacts, localPath: String?) -> Match {
    let likely =
      byPath(localPath) + (byStem[EntryEscape.escape(facts.id)] ?? [])
      + (byStem[facts.id] ?? [])
    named.formUnion(likely)
    let sized = facts.claim.sha256 == nil ? [] : bySize[Int(facts.claim.bytes ?? -1)] ?? []
    for i in likely + sized {
      guard let digest = digest(i),
        facts.claim.fits(bytes: Int64(files[i].size), sha256: digest)
      else { continue }
      named.insert(i)
      return .held(files[i], digest)
    }
    // A thumbnail has its attachment's name and other bytes.
    for i in likely where !files[i].name.hasPrefix("thumbs/") {
      if let digest = digest(i) { return .altered(files[i], digest) }
    }
    return .absent
  }

  /// Files whose names a path ends with, the longest first.
  private func byPath(_ path: String?) -> [Int] {
    guard let path, !path.isEmpty else { return [] }
    var found: [Int] = []
    var rest = path[...]
    while true {
      if let file = byName[String(rest)] { found.append(file) }
      guard let slash = rest.firstIndex(of: "/") else { return found }
      rest = rest[rest.index(after: slash)...]
    }
  }

  private func digest(_ i: Int) -> SHA256Digest? {
    if let known = digests[i] { return known }
    guard let seal = try? EvidenceFile(path: files[i].path, links: .refuse).seal() else {
      return nil
    }
    digests[i] = seal.sha256
    return seal.sha256
  }

  /// A file's name without its folders, as it is and without its extensions.
  private static func stems(_ name: String) -> Set<String> {
    let base = name.lastIndex(of: "/").map { String(name[name.index(after: $0)...]) } ?? name
    var stems: Set<String> = [base]
    if let dot = base.lastIndex(of: ".") { stems.insert(String(base[..<dot])) }
    if let dot = base.firstIndex(of: ".") { stems.insert(String(base[..<dot])) }
    return stems
  }
}

extension AttachmentFiles.File {
  /// Calls `body` with the file's bytes, some at a time.
  func read(_ body: (Span<UInt8>) throws(RasdError) -> Void) throws(RasdError) {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    var offset = 0
    while offset < source.size {
      try source.read(at: offset, count: min(Self.chunk, source.size - offset), into: &bytes)
      try body(bytes.span)
      offset += bytes.count
    }
  }

  /// Large enough that a read costs nothing beside the seal of what was read.
  private static let chunk = 1 << 20
}
