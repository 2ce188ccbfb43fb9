import RasdModel
// The standard library normalises strings to compare them; this is the one way to it without
// Foundation.
@_spi(_Unicode) import Swift

/// A name in a bundle that means the same on every system and leads nowhere.
///
/// Nothing is ever unpacked under it: it stands in reports, and a bundle whose names try
/// something is not trusted with the rest.
struct BundleName: Hashable {
  let text: String
  /// The form by which names that some file system takes for one are found.
  let folded: String
  let isFolder: Bool

  /// What every file system takes.
  private static let longestName = 1024
  private static let longestComponent = 255
  /// Device names of Windows, which it finds under any extension.
  private static let devices: Set<String> = {
    let numbered = ["com", "lpt"].flatMap { word in (0...9).map { "\(word)\($0)" } }
    return Set(["con", "prn", "aux", "nul"] + numbered)
  }()

  /// Nil where the name is not safe.
  init?(_ bytes: [UInt8]) {
    guard 1...Self.longestName ~= bytes.count,
      let text = String(validating: bytes, as: UTF8.self),
      // Controls, bidirectional marks, backslashes.
      SafeText.escape(text) == text, !text.utf8.contains(UInt8(ascii: ":")),
      text._nfc.elementsEqual(text.unicodeScalars)
    else { return nil }
    isFolder = bytes.last == UInt8(ascii: "/")
    let path = isFolder ? text.dropLast() : text[...]
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard components.allSatisfy(Self.isSafe), components.first?.first != "~" else { return nil }
    self.text = text
    folded = path.lowercased()
  }

  private static func isSafe(_ component: Substring) -> Bool {
    guard 1...longestComponent ~= component.utf8.count, component != ".", component != "..",
      component.last != ".", component.last != " "
    else { return false }
    return !devices.contains(component.prefix { $0 != "." }.lowercased())
  }

  /// The folders on the way to it, folded.
  var folders: [String] {
    var folders: [String] = []
    var path = folded[...]
    while let slash = path.lastIndex(of: "/") {
      path = path[..<slash]
      folders.append(String(path))
    }
    return folders
  }
}

/// The names of one bundle: no two that some file system takes for one, none both file and folder.
struct BundleNames {
  private var files: Set<String> = []
  private var folders: Set<String> = []

  /// Whether the name can stand beside those before it.
  mutating func insert(_ name: BundleName) -> Bool {
    for folder in name.folders {
      guard !files.contains(folder) else { return false }
      folders.insert(folder)
    }
    if name.isFolder {
      // A folder may be listed after what lies in it.
      folders.insert(name.folded)
      return !files.contains(name.folded)
    }
    return !folders.contains(name.folded) && files.insert(name.folded).inserted
  }
}
