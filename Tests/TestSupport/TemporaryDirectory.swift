import Foundation
import Glibc

/// A directory of one test's own, 0700, removed with everything in it when the test lets go.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    var template = Array((NSTemporaryDirectory() + "/rasdkit-test-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw CocoaError(.fileWriteUnknown)
    }
    // Foundation's own temporary directory may be spelled with two slashes; paths appear in snapshots.
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = made.replacing("//", with: "/")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it; nothing is made.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file in it, with the folders on its way, and gives its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let target = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: target)
    return target.path
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  package func read(_ name: String) throws -> [UInt8] { try File.read(file(name)) }
}

package enum File {
  package static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// Its lines, without their ends.
  package static func lines(_ path: String) throws -> [[UInt8]] {
    try read(path).split(separator: 0x0A).map(Array.init)
  }
}
