import Foundation
import RasdModel
import TestSupport
import Testing

@testable import rasdkit

@Suite struct ErrorTextTests {
  @Test("every reason has words", arguments: Reason.allCases)
  func everyReasonHasWords(_ reason: Reason) throws {
    let wording = try #require(Wording.table[reason], "\(reason.rawValue) has no words")
    for text in [wording.why, wording.action ?? "x"] {
      #expect(!text.isEmpty && !text.hasSuffix("."))
    }
  }

  @Test func aLineNamesThingReasonActionCodeAndReason() {
    let error = RasdError(
      .corrupt,
      .entryDamaged,
      ["path": "a\u{202e}b.rasdx", "entry": "submissions.jsonl", "offset": 17]
    )
    #expect(
      ErrorText.line(error)
        == #"a\u{202e}b.rasdx: part of it is damaged (entry submissions.jsonl, offset 17); "#
        + #"copy it again, or rasdkit salvage 'a\u{202e}b.rasdx' --to DIR gets out what is there "#
        + "[RASD_STORAGE_CORRUPT entry-damaged]"
    )
  }

  @Test func anEmptyPathIsShown() {
    let error = RasdError(.unavailable, .notFound, ["path": ""])
    #expect(ErrorText.line(error).hasPrefix("'': nothing is there"))
  }

  @Test func aFindingWithoutCodeHasItsReasonAlone() {
    let line = ErrorText.line(code: nil, reason: .deviceFork, details: [:])
    #expect(line.hasSuffix("[device-fork]"))
  }
}

@Suite struct ArgumentParserTests {
  private let parser = ArgumentParser(spec: ConsolidateCommand.spec)

  @Test func optionsAndOperandsMix() throws {
    let arguments = try parser.parse([
      "a", "--store=s p", "--key-file", "k1", "-", "--key-file=k2", "--", "--strict",
    ])
    #expect(arguments.operands == ["a", "-", "--strict"])
    #expect(arguments.value(Options.store) == "s p")
    #expect(arguments.values(Options.keyFile) == ["k1", "k2"])
    #expect(!arguments.has(Options.strict))
  }

  @Test(
    "what does not fit is refused",
    arguments: [
      (["--stroe", "x"], "did you mean --store?"), (["--mode", "mrege"], "did you mean merge?"),
      (["--store"], nil), (["--store", "a", "--store", "b"], nil), (["--strict=1"], nil),
      (["--jobs", "-1"], nil), (["--jobs", "two"], nil), (["--jobs", "0"], nil), (["-x"], nil),
    ] as [([String], String?)]
  )
  func refused(_ words: [String], hint: String?) {
    #expect {
      try parser.parse(words)
    } throws: { error in
      let usage = error as? UsageError
      return usage != nil && (hint == nil || usage?.hint == hint)
    }
  }

  @Test func handGivenWinsOverRecipe() throws {
    let base = try parser.parse(["--store", "recipe", "--strict", "from-recipe"])
    let mine = try parser.parse(["--store", "mine"]).over(base)
    #expect(mine.value(Options.store) == "mine")
    #expect(mine.has(Options.strict))
    #expect(mine.operands == ["from-recipe"])
    #expect(try parser.parse(["other"]).over(base).operands == ["other"])
  }

  @Test(
    "a report's policy has a place for every option",
    arguments: Dispatch.commands.map { $0.spec.name }
  )
  func policyIsOfTheSchema(_ name: String) throws {
    let schema = try JSONValue.parse(try File.read(Checkout.path("Docs/report.schema.json")))
    let policy = try #require(schema["$defs"]?["policy"]?["properties"])
    let spec = try Dispatch.command(named: name).spec
    guard spec.options.contains(where: { $0.name == Options.report.name }) else { return }
    for option in Session.policyOptions(of: spec) {
      let place = policy[String(option.name.dropFirst(2))]
      let type = place?["type"]?.string ?? place?["$ref"]?.string
      switch (option.value, option.times) {
      case (.nothing, _): #expect(type == "boolean", "\(option.name)")
      case (_, .once): #expect(type == "string" || type == "#/$defs/path", "\(option.name)")
      case (_, .each): #expect(type == "array", "\(option.name)")
      }
    }
  }

  @Test("every command's help is complete", arguments: Dispatch.commands.map { $0.spec.name })
  func helpIsComplete(_ name: String) throws {
    let spec = try Dispatch.command(named: name).spec
    let help = HelpText.of(spec)
    #expect(spec.examples.count == 2)
    for option in spec.options { #expect(help.contains(option.name)) }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(Set(spec.options.map(\.name)).count == spec.options.count)
  }
}

@Suite struct UnitsTests {
  @Test(
    "bytes",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_260_000, "1.3 MB"), (99_960, "100 kB"),
    ]
  )
  func bytes(_ count: Int, _ text: String) { #expect(Units.bytes(count) == text) }

  @Test("counts", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func counts(_ count: Int, _ text: String) { #expect(Units.count(count) == text) }
}
