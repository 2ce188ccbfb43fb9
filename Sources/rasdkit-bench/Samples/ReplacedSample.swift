import RasdContainer
import RasdCrypto
import RasdModel

/// A lost tablet's last export, and the key pair of the one that replaces it.
struct ReplacedSample {
  let root: String

  private static let passphrase = "sample only: a lamp by the river"

  func make() throws {
    let device = MadeDevice(
      namespace: "example.e_05",
      label: "tablet 5, lost",
      seed: 5,
      submissions: 30,
      photos: 9
    )
    let replacement = Identity.make(.p256)
    try OutputFile.write(Self.passphrase + "\n", to: "\(root)/keys/old.passphrase")
    try OutputFile.write(replacement.recipient.pem, to: "\(root)/keys/new-device.pub.pem")
    try OutputFile.write(SampleKeys.pem(replacement), to: "\(root)/keys/new-device.pem")
    try MadeExport(device: device, recipients: [.passphrase(try Passphrase(Self.passphrase))])
      .write(to: "\(root)/last-export.rasdx")
  }
}
