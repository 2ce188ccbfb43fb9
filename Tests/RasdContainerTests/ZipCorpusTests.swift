import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdContainer

/// The published archives with a structure that is wrong, odd or dangerous.
@Suite struct ZipCorpusTests {
  @Test(arguments: Suite.allCases)
  func structuresMadeAnewAroundAnExport(_ suite: Suite) throws {
    let folder = try TemporaryDirectory()
    let forge = try ZipForge(of: Sample.small(suite).bytes())
    let (expected, whole) = try Content.read(folder.write(forge.build(), to: "plain"))
    #expect(whole.isWhole)
    for (name, change) in ZipTransplants.all.sorted(by: { $0.key < $1.key }) {
      var changed = forge
      change(&changed)
      let path = try folder.write(changed.build(), to: name)
      if ZipTransplants.allowed.contains(name) {
        let (content, result) = try Content.read(path)
        #expect(result.failures == [], "\(name)")
        #expect(content == expected, "\(name)")
      } else {
        let error = Self.refusal(path)
        let reason = error?.reason
        #expect(reason != nil, "\(name) was taken")
        switch name {
        case "c-no-eocd", "c-truncated": #expect(reason == .truncated, "\(name)")
        case "ok-empty": #expect(reason == .entryMissing, "\(name)")
        // What inflates to more than it says is not inflated further: broken, not outside the rules.
        case "bomb-declared-small": #expect(reason == .entryDamaged)
        case "a-dd-stored-inner": #expect(reason == .manifestInvalid, "\(name)")
        default: #expect(reason == .unsafeContainer, "\(name): \(error as Any)")
        }
      }
    }
  }

  @Test(.shared("corpora/zip/expect.json"))
  func everyArchiveOfTheCorpusHasItsTransplant() throws {
    let json = try JSONValue.parse(File.read(Shared.path("corpora/zip/expect.json")))
    let names = try #require(json.members).map(\.name)
    #expect(Set(names) == Set(ZipTransplants.all.keys))
    for name in names {
      #expect(Self.refusal(Shared.path("corpora/zip/\(name).zip")) != nil, "\(name) was taken")
    }
  }

  /// Why a file is not taken for a whole export, nil where it is.
  static func refusal(_ path: String) -> RasdError? {
    do {
      return try Content.read(path).1.cause
    } catch {
      return error as? RasdError
    }
  }
}
