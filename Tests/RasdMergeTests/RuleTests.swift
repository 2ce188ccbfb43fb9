import RasdMerge
import RasdModel
import Testing

/// Each rule by an example of its own.
@Suite struct RuleTests {
  private func submission(
    _ status: SubmissionStatus,
    rev: Int64,
    content: UInt64 = 1,
    serverRev: Int64? = nil,
    at: String = "2026-09-01T06:00:00Z",
    hash: UInt64 = 1,
    by deliveries: [(Int, Int)] = [(1, 1)]
  ) -> Observation<SubmissionFacts> {
    Observation(
      SubmissionFacts(
        id: "s",
        status: status,
        clientRev: rev,
        serverRev: serverRev,
        updatedAt: Instant(at),
        contentDigest: SHA256Digest(words: (content, 0, 0, 0))
      ),
      hash: SHA256Digest(words: (hash, 0, 0, 0)),
      deliveries: Set(deliveries.map { Delivery(source: $0.0, namespace: $0.1) })
    )
  }

  private func seen(
    _ observations: [Observation<SubmissionFacts>],
    pin: Pin? = nil
  ) -> Observation<SubmissionFacts>? {
    SubmissionOrder.resolve(observations, pin: pin).map { observations[$0.seen.speaker] }
  }

  @Test(arguments: [SubmissionStatus.finalized, .queued, .sending])
  func aDraftIsNeverSeenOverAProtectedRow(_ status: SubmissionStatus) {
    let rows = [submission(status, rev: 1), submission(.draft, rev: 9, content: 2)]
    #expect(seen(rows)?.facts.status == status)
  }

  @Test func aDraftOfHigherRevIsSeenOverASyncedRow() {
    let rows = [submission(.synced, rev: 1), submission(.draft, rev: 2, content: 2)]
    #expect(seen(rows)?.facts.status == .draft)
  }

  @Test func aDraftWithAServersRevDoesNotSpeakForItsVersion() {
    let rows = [
      submission(.draft, rev: 1, serverRev: 9), submission(.queued, rev: 1, hash: 2),
    ]
    #expect(seen(rows)?.facts.status == .queued)
  }

  @Test func aDevicesOwnLaterEditIsHistory() {
    let monday = submission(.draft, rev: 0, content: 1, at: "2026-09-01T06:00:00Z", by: [(1, 1)])
    let friday = submission(.draft, rev: 0, content: 2, at: "2026-09-05T06:00:00Z", by: [(2, 1)])
    let standing = SubmissionOrder.resolve([monday, friday])
    #expect(standing?.isConflict == false)
    #expect(seen([monday, friday])?.facts.updatedAt == Instant("2026-09-05T06:00:00Z"))
  }

  @Test func anothersDraftAtTheSameRevIsAConflict() {
    let mine = submission(.draft, rev: 0, content: 1, by: [(1, 1)])
    let theirs = submission(.draft, rev: 0, content: 2, by: [(2, 2)])
    #expect(SubmissionOrder.resolve([mine, theirs])?.rivals.count == 1)
  }

  @Test func timesCompareAsInstants() {
    let later = submission(.queued, rev: 1, content: 1, at: "2026-09-01T00:00:00-09:00")
    let earlier = submission(.queued, rev: 1, content: 2, at: "2026-09-01T08:00:00Z")
    #expect(seen([later, earlier])?.facts.contentDigest == later.facts.contentDigest)
  }

  @Test func aPinHoldsUntilARevAboveAllThatWereHeld() {
    let old = submission(.synced, rev: 1, content: 1)
    let new = submission(.synced, rev: 3, content: 2, hash: 2)
    let pin = Pin(clientRev: 1, digest: old.facts.contentDigest, until: 3)
    #expect(seen([old, new], pin: pin)?.facts.clientRev == 1)
    let third = submission(.synced, rev: 3, content: 3, hash: 3)
    #expect(seen([old, new, third], pin: pin)?.facts.clientRev == 1)
    let above = submission(.synced, rev: 4, content: 4, hash: 4)
    #expect(seen([old, new, above], pin: pin)?.facts.clientRev == 4)
  }

  @Test func aPinnedDraftIsNotSeenWhileAProtectedVersionSpeaks() {
    let draft = submission(.draft, rev: 1, content: 1)
    let queued = submission(.queued, rev: 1, content: 2, hash: 2)
    let pin = Pin(clientRev: 1, digest: draft.facts.contentDigest, until: 9)
    #expect(seen([draft, queued], pin: pin)?.facts.status == .queued)
  }

  @Test func decisionsAreMadeOnlyWhereTheOrderWouldChooseOtherwise() throws {
    let held = submission(.synced, rev: 1, content: 1)
    let arrived = submission(.synced, rev: 2, content: 2, hash: 2)
    let after = try #require(SubmissionOrder.resolve([held, arrived]))
    let (before, new) = (
      (held.facts.clientRev, held.facts.contentDigest),
      (arrived.facts.clientRev, arrived.facts.contentDigest)
    )
    #expect(Pin.decided(.keepHigherRev, before: before, arrived: new, after: after) == nil)
    #expect(Pin.decided(.keepImport, before: before, arrived: new, after: after) == nil)
    #expect(
      Pin.decided(.keepLocal, before: before, arrived: new, after: after)
        == Pin(clientRev: 1, digest: held.facts.contentDigest, until: 2)
    )
    #expect(
      Pin.decided(.keepImport, before: new, arrived: before, after: after)
        == Pin(clientRev: 1, digest: held.facts.contentDigest, until: 2)
    )
  }

  @Test func twoDevicesUnderOneNameAreAFork() throws {
    let rows = [
      submission(.queued, rev: 1, content: 1, by: [(1, 7)]),
      submission(.queued, rev: 1, content: 2, hash: 2, by: [(2, 7)]),
    ]
    let standing = try #require(SubmissionOrder.resolve(rows))
    #expect(DeviceFork.all(of: rows, in: standing).map(\.sources) == [[1, 2]])
    let drafts = [
      submission(.draft, rev: 1, content: 1, by: [(1, 7)]),
      submission(.queued, rev: 1, content: 2, hash: 2, by: [(2, 7)]),
    ]
    #expect(
      DeviceFork.all(of: drafts, in: try #require(SubmissionOrder.resolve(drafts))).isEmpty
    )
  }

  @Test func aLaterExportWithALowerRevIsARegression() {
    let rows = [
      submission(.synced, rev: 5, by: [(1, 7)]), submission(.queued, rev: 2, hash: 2, by: [(2, 7)]),
    ]
    func export(_ source: Int, _ at: String, _ sequence: Int64) -> RevRegression.Export {
      RevRegression.Export(
        source: source,
        namespace: 7,
        exportedAt: Instant(at),
        sequence: sequence
      )
    }
    let exports = [
      1: export(1, "2026-09-01T00:00:00Z", 4), 2: export(2, "2026-09-08T00:00:00Z", 3),
    ]
    let found = RevRegression.ofRevs(rows, exports: exports)
    #expect(found.map { [$0.earlier, $0.later] } == [[1, 2]])
    #expect(RevRegression.ofSequences(Array(exports.values)) == found)
    let reversed = [
      1: export(1, "2026-09-08T00:00:00Z", 4), 2: export(2, "2026-09-01T00:00:00Z", 3),
    ]
    #expect(RevRegression.ofRevs(rows, exports: reversed).isEmpty)
    #expect(RevRegression.ofSequences(Array(reversed.values)).isEmpty)
  }

  @Test func aStrangersHighRevIsCrossNamespace() throws {
    let own = submission(.synced, rev: 1, content: 1, by: [(1, 1)])
    let strange = submission(.synced, rev: 9_007_199_254_740_991, content: 2, hash: 2, by: [(2, 2)])
    #expect(CrossNamespace.isFound(in: try #require(SubmissionOrder.resolve([own, strange]))))
    #expect(!CrossNamespace.isFound(in: try #require(SubmissionOrder.resolve([strange]))))
    let shared = submission(
      .synced,
      rev: 2,
      content: 2,
      hash: 2,
      by: [(2, 2), (3, 1)]
    )
    #expect(!CrossNamespace.isFound(in: try #require(SubmissionOrder.resolve([own, shared]))))
  }

  @Test func aClockIsAheadByMoreThanADay() {
    let exportedAt = Instant("2026-09-01T00:00:00Z")
    #expect(!ClockAhead.isFound(latest: Instant("2026-09-02T00:00:00Z"), exportedAt: exportedAt))
    #expect(ClockAhead.isFound(latest: Instant("2026-09-02T00:00:00.001Z"), exportedAt: exportedAt))
    #expect(!ClockAhead.isFound(latest: nil, exportedAt: exportedAt))
  }

  @Test func eachArrivalCountsOnce() {
    func outcome(_ held: Bool, _ key: Bool, _ changed: Bool, _ conflict: Bool) -> RowOutcome {
      Arrival(
        wasHeld: held,
        keyWasHeld: key,
        changedWhatIsSeen: changed,
        isConflict: conflict
      ).outcome
    }
    #expect(outcome(true, true, true, true) == .unchanged)
    #expect(outcome(false, false, true, false) == .inserted)
    #expect(outcome(false, true, true, true) == .conflict)
    #expect(outcome(false, true, true, false) == .updated)
    #expect(outcome(false, true, false, false) == .kept)
  }
}
