import Foundation
package import Testing

/// The folder of published corpora and independent tools that stands beside a checkout:
/// `../shared` from the package root, or what `RASDKIT_SHARED` names.
///
/// Tests that read it carry `.shared("corpora/…")` and are reported as skipped where it is absent.
package enum Shared {
  /// The folder itself, nil where there is none.
  package static let folder: String? = {
    let named = ProcessInfo.processInfo.environment["RASDKIT_SHARED"]
    let path = named ?? Checkout.path("../shared")
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The path of something inside the folder, whether it is there or not.
  package static func path(_ relative: String) -> String {
    (folder ?? Checkout.path("../shared")) + "/" + relative
  }

  package static func has(_ relative: String) -> Bool {
    folder != nil && FileManager.default.fileExists(atPath: path(relative))
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the shared folder holds `relative`.
  package static func shared(_ relative: String) -> Self {
    .enabled(if: Shared.has(relative), "skipped: ../shared/\(relative) is absent")
  }
}

/// The checkout that this test was built from.
package enum Checkout {
  /// The package root.
  package static let root: String = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  package static func path(_ relative: String) -> String {
    URL(filePath: root).appending(path: relative).standardizedFileURL.path
  }
}
