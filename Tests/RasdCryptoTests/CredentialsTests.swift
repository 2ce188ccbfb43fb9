import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct CredentialsTests {
  private let directory: TemporaryDirectory
  private let fixture: SlotFixture

  init() throws {
    directory = try TemporaryDirectory()
    fixture = try SlotFixture()
    try directory.write("correct horse\n", to: "keys/right")
    try directory.write("wrong", to: "keys/wrong")
    try directory.write(Hex.encode(fixture.rawKey.secret.copy), to: "keys/raw")
    try directory.write(fixture.x25519.pem.copy, to: "keys/identity.pem")
  }

  private func ring(_ text: String) throws -> Credentials {
    let path = try directory.write(text, to: "ring.json")
    var credentials = Credentials()
    try credentials.addKeyRing(path)
    return credentials
  }

  private func sources(_ credentials: Credentials, _ namespace: String?) -> [String] {
    credentials.candidates(for: namespace).map {
      String($0.source.dropFirst(directory.path.count + 1))
    }
  }

  @Test func mostSpecificFirstThenWhatWasGivenOnItsOwn() throws {
    var credentials = try ring(
      """
      {"keys":[{"namespace":"*","passphraseFile":"keys/wrong"},
               {"namespace":"wfp-jo.*","keyFile":"keys/raw"},
               {"namespace":"wfp-jo.u_1","passphraseFile":"keys/right","bind":true},
               {"namespace":"wfp-jo.u_1","identityFile":"keys/identity.pem"},
               {"namespace":"other","passphraseFile":"keys/right"}]}
      """
    )
    try credentials.addPassphraseFile(directory.file("keys/wrong"))
    #expect(credentials.problems.isEmpty)
    #expect(
      sources(credentials, "wfp-jo.u_1")
        == ["keys/right", "keys/identity.pem", "keys/raw", "keys/wrong", "keys/wrong"]
    )
    #expect(sources(credentials, "wfp-jo.u_12") == ["keys/raw", "keys/wrong", "keys/wrong"])
    #expect(sources(credentials, "wfp") == ["keys/wrong", "keys/wrong"])
    #expect(sources(credentials, nil).count == 6)
    #expect(credentials.passphrases(for: "other").count == 3)
    #expect(credentials.rawKeys(for: "wfp-jo.x").count == 1)
    #expect(credentials.binds("wfp-jo.u_1"))
    #expect(!credentials.binds("wfp-jo.u_2"))
    #expect(credentials.exposed.count == 4)
  }

  @Test func theBoundKeyIsTriedFirst() throws {
    let slots = try fixture.slots()
    var credentials = try ring(
      #"{"keys":[{"namespace":"wfp.u","passphraseFile":"keys/right","bind":true}]}"#
    )
    credentials.add(.rawKey(fixture.rawKey), source: "own")
    let own = try fixture.unlock(slots, credentials, namespace: "wfp.u")
    #expect(own.candidate.isBound)
    #expect(own.slot == 0)
    // A stranger's export of that namespace opens with another key, and it shows.
    let strangers = try fixture.unlock([slots[1]], credentials, namespace: "wfp.u")
    #expect(!strangers.candidate.isBound && credentials.binds("wfp.u"))
    let others = try fixture.unlock(slots, credentials, namespace: "wfp.v")
    #expect(!others.candidate.isBound && others.slot == 1)
  }

  @Test func filesOfARingThatCantBeUsedDoNotStopTheRest() throws {
    let credentials = try ring(
      """
      {"keys":[{"namespace":"a","passphraseFile":"keys/absent"},
               {"namespace":"a","keyFile":"keys/right"},
               {"namespace":"a","passphraseFile":"keys/right"}]}
      """
    )
    #expect(credentials.problems.map { $0.details["found"] } == [.text("missing"), .text("text")])
    #expect(sources(credentials, "a") == ["keys/right"])
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"{"keys":{}}"#, #"{"keys":[],"more":1}"#, #"{"keys":[{"namespace":"a"}]}"#,
    #"{"keys":[{"passphraseFile":"keys/right"}]}"#,
    #"{"keys":[{"namespace":"A","passphraseFile":"keys/right"}]}"#,
    #"{"keys":[{"namespace":"a*b","passphraseFile":"keys/right"}]}"#,
    #"{"keys":[{"namespace":"a","passphraseFile":"keys/right","keyFile":"keys/raw"}]}"#,
    #"{"keys":[{"namespace":"a","passphraseFile":"keys/right","bind":"yes"}]}"#,
    #"{"keys":[{"namespace":"a","passphrase":"secret"}]}"#,
    #"{"keys":[{"namespace":"a","identityFile":"keys/identity.pem","bind":true}]}"#,
    #"{"keys":[{"namespace":"a","namespace":"b","keyFile":"keys/raw"}]}"#,
    "not JSON", "",
  ])
  func brokenRings(_ text: String) throws {
    #expect(throws: RasdError(.keyUnavailable, .keyFileInvalid)) { try ring(text) }
  }

  @Test func placesInABrokenRing() throws {
    func details(_ text: String) -> [String: RasdError.Detail] {
      do {
        _ = try ring(text)
        return [:]
      } catch { return (error as? RasdError)?.details ?? [:] }
    }
    #expect(details(#"{"keys":[}"#)["offset"] == 9)
    #expect(
      details(#"{"keys":[{"namespace":"a","keyFile":"keys/raw"},{"namespace":1}]}"#)["entry"] == 1
    )
  }

  @Test func nothingGiven() throws {
    #expect(Credentials().isEmpty)
    #expect(throws: RasdError(.keyUnavailable, .noMatchingSlot)) {
      try fixture.unlock(fixture.slots(), Credentials())
    }
  }

  @Test func nothingIsDescribed() throws {
    var dumped = ""
    dump(fixture.credentials(.passphrase, .key, .hpke), to: &dumped)
    #expect(!dumped.contains("correct horse"))
    #expect(dumped.contains("Secret"))
  }
}
