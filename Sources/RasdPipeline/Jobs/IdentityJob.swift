import RasdCrypto
package import RasdModel

/// Makes a key pair: the private key in a file for its owner alone, the public one beside it.
package struct IdentityJob: Sendable {
  package enum Curve: String, Sendable { case x25519, p256 = "p-256" }

  private let path: String
  private let curve: Curve
  private let overwriting: Overwriting

  package init(path: String, curve: Curve, overwriting: Overwriting) {
    self.path = path
    self.curve = curve
    self.overwriting = overwriting
  }

  package struct Made: Sendable {
    package let privatePath: String
    package let publicPath: String
    /// The key's fingerprint, which slots name it by.
    package let kid: String
  }

  package func run() throws(RasdError) -> Made {
    let publicPath = "\(path).pub"
    for path in [path, publicPath] where overwriting == .refused && PathFacts.exists(path) {
      throw RasdError(.unavailable, .outputExists, ["path": .text(path)])
    }
    let identity = Identity.make(curve == .x25519 ? .x25519 : .p256)
    // The public key first: a private key whose public half is nowhere is of no use.
    try overwriting.write(Array(identity.recipient.pem.utf8).span, to: publicPath)
    try overwriting.write(identity.pem.bytes, to: path)
    return Made(privatePath: path, publicPath: publicPath, kid: identity.kid)
  }
}
