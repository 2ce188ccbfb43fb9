internal import COpenSSL

/// The cryptographic library this program runs with.
package enum CryptoLibrary {
  package static var version: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
  }
}
