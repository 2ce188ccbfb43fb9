import RasdContainer
import RasdCrypto
import RasdModel

/// Four enumerators' tablets, one of which exports twice, each sealed with a key of another kind.
struct FleetSample {
  let root: String

  private static let passphrase = "sample only: seven blue kettles"

  func make() throws {
    let identity = Identity.make(.x25519)
    let rawKey = RawKey(SecureRandom.secret(RawKey.size))
    try writeKeys(identity, rawKey)
    let shared = ExportRecipient.passphrase(try Passphrase(Self.passphrase))

    var first = device(1)
    try MadeExport(device: first, recipients: [shared]).write(to: path("e_01-week-1"))
    first.week = 2
    try MadeExport(device: first, recipients: [shared]).write(to: path("e_01-week-2"))
    let second = device(2)
    try MadeExport(device: second, recipients: [.rawKey(rawKey)]).write(to: path("e_02"))
    try MadeExport(
      device: device(3),
      recipients: [.publicKey(identity.recipient)],
      others: [Self.edited(second.made(4))]
    ).write(to: path("e_03"))
    try MadeExport(device: device(4), recipients: [shared], suite: .envelope)
      .write(to: path("e_04"))
  }

  private func device(_ number: Int) -> MadeDevice {
    MadeDevice(
      namespace: "example.e_0\(number)",
      label: "tablet \(number)",
      seed: UInt64(number),
      submissions: 18 + 4 * number,
      photos: 6 + number
    )
  }

  /// The same form, filled in again on another tablet under the same id: a conflict.
  private static func edited(_ made: MadeSubmission) -> MadeSubmission {
    var edited = made
    edited.device = "tablet 3"
    edited.data = made.data.map { member in
      member.name == "condition" ? .init("condition", "works, second visit") : member
    }
    return edited
  }

  private func path(_ name: String) -> String { "\(root)/exports/\(name).rasdx" }

  private func writeKeys(_ identity: Identity, _ rawKey: RawKey) throws {
    let keys = "\(root)/keys"
    try OutputFile.makeFolder("\(root)/exports")
    try OutputFile.write(Self.passphrase + "\n", to: "\(keys)/fleet.passphrase")
    try OutputFile.write(SampleKeys.hex(rawKey) + "\n", to: "\(keys)/e_02.key")
    try OutputFile.write(SampleKeys.pem(identity), to: "\(keys)/supervisor.pem")
    try OutputFile.write(
      Hex.encode(SecureRandom.bytes(32)) + "\n",
      to: "\(keys)/store.key"
    )
    try OutputFile.write(
      """
      {"keys":[
        {"namespace":"example.*","passphraseFile":"fleet.passphrase"},
        {"namespace":"example.e_02","keyFile":"e_02.key","bind":true},
        {"namespace":"example.e_03","identityFile":"supervisor.pem"}
      ]}

      """,
      to: "\(keys)/ring.json"
    )
  }
}

/// Keys as text: what stands in Samples opens nothing but Samples.
enum SampleKeys {
  static func hex(_ key: RawKey) -> String { Hex.encode([UInt8](copying: key.secret.bytes)) }

  static func pem(_ identity: Identity) -> [UInt8] { [UInt8](copying: identity.pem.bytes) }
}
