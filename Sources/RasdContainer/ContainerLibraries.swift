import CArchive
import CZip

/// The archive libraries this program runs with.
package enum ContainerLibraries {
  package static var libzip: String { unsafe String(cString: zip_libzip_version()) }

  /// The number alone: the library answers with its name before it.
  package static var libarchive: String {
    let text = unsafe String(cString: archive_version_string())
    return String(text.drop { !$0.isNumber })
  }
}
