import RasdModel

/// Why something failed and what to do about it, in words, for each reason.
struct Wording {
  let why: String
  /// What the person can do, `{path}` standing for the thing itself; nil where nothing helps.
  let action: String?

  static func of(_ reason: Reason) -> Wording {
    table[reason]
      ?? Wording(why: reason.rawValue.split(separator: "-").joined(separator: " "), action: nil)
  }

  private init(why: String, action: String?) {
    self.why = why
    self.action = action
  }

  init(_ why: String, _ action: String? = nil) {
    self.init(why: why, action: action)
  }

  static let table = keys.merging(containers, uniquingKeysWith: { first, _ in first })
    .merging(rows, uniquingKeysWith: { first, _ in first })
    .merging(stores, uniquingKeysWith: { first, _ in first })
    .merging(findings, uniquingKeysWith: { first, _ in first })
    .merging(runs, uniquingKeysWith: { first, _ in first })

  private static let salvage = "rasdkit salvage {path} --to DIR gets out what is there"
  private static let copyAgain = "copy it again, or \(salvage)"

  private static let keys: [Reason: Wording] = [
    .wrongKey: Wording(
      "none of the keys given opens it",
      "check the passphrase or key and give the right one"
    ),
    .noMatchingSlot: Wording(
      "it has no slot for the kinds of key given",
      "rasdkit inspect {path} lists its slots: give a key for one of them"
    ),
    .kdfLimits: Wording(
      "its passphrase slot asks for a key derivation outside the limits",
      "open it with another of its keys"
    ),
    .keyFileInvalid: Wording("this is not what was expected there", "give the right file"),
    .noKeyGiven: Wording(
      "it is sealed, and no key that could be used was given",
      "give --passphrase-file, --key-file, --identity or --key-ring"
    ),
    .saltLost: Wording(
      "a passphrase is of no use because the salt is lost with the first page",
      "give --salt from another copy, or the raw key"
    ),
    .saltMisplaced: Wording(
      "the passphrase is wrong, or the salt is not where it belongs: the file's length says that"
        + " bytes are missing or stand in front of it",
      "check the passphrase, give --salt from another copy, or the raw key"
    ),
    .keyFileExposed: Wording("others can read this key file", "chmod 600 it"),
    .passphrasesDiffer: Wording("the two passphrases differ", "run it again"),
    .noTerminal: Wording(
      "no key is given for the store, and there is no terminal to ask on",
      "give --store-key-file, --store-passphrase-file or --store-identity"
    ),
    .noRecipient: Wording(
      "nobody could open what would be written",
      "give --to-recipient, --to-passphrase-file or --to-key-file"
    ),
    .lastSlot: Wording(
      "this is the last slot that opens the store",
      "add another one first: rasdkit keys add --help says how"
    ),
    .slotUnknown: Wording("there is no such slot", "rasdkit keys list shows their numbers"),
    .tooManySlots: Wording("a store has no room for more slots", "remove one first"),
    .singleSlot: Wording(
      "one slot alone opens this store",
      "rasdkit keys add --store {path} --recovery makes one for the day the key is lost"
    ),
    .storeExposed: Wording(
      "others can write in this store's folder, and put another store in its place",
      "chmod 700 {path}"
    ),
  ]

  private static let containers: [Reason: Wording] = [
    .empty: Wording("the file is empty", "copy it again from where it came"),
    .notAnExport: Wording("this is no export", "rasdkit inspect {path} says what it is"),
    .truncated: Wording("the file ends too early", copyAgain),
    .unsafeContainer: Wording(
      "its container breaks a rule that keeps readers safe",
      "ask for a new export"
    ),
    .manifestInvalid: Wording("its manifest breaks the rules of the format", salvage),
    .manifestAltered: Wording("its manifest was changed after it was sealed", salvage),
    .unsupportedVersion: Wording("a newer version made it", "update rasdkit"),
    .plaintextRefused: Wording(
      "it is not encrypted",
      "if that is as it should be, give --allow-plaintext"
    ),
    .entryDamaged: Wording("part of it is damaged", copyAgain),
    .entryMissing: Wording("part of it is missing", copyAgain),
    .countMismatch: Wording("what it holds is not what it says it holds", salvage),
    .totalHashMismatch: Wording("its total hash is not that of what it holds", salvage),
    .partOrder: Wording("its parts do not follow each other", salvage),
    .limitExceeded: Wording("it is larger than the format allows", "split it"),
  ]

  private static let rows: [Reason: Wording] = [
    .rowInvalid: Wording("a row breaks the rules of its table"),
    .rowChecksumMismatch: Wording("a row is not what its checksum says"),
    .blobHashMismatch: Wording(
      "a blob is not what its row says",
      "a later export of the device can heal it"
    ),
    .definitionHashConflict: Wording("one published form version has two definitions"),
    .definitionHashMismatch: Wording("a form's hash is not that of its definition"),
    .carriageReturn: Wording("lines end in CR LF, which the format does not allow"),
    .openFailed: Wording("it can't be opened or read"),
    .notARegularFile: Wording("this is no file", "give a file or a folder"),
    .notADatabase: Wording("this is no database", "rasdkit inspect {path} says what it is"),
    .profileInvalid: Wording("the profile breaks its schema", "see Docs/profile.schema.json"),
  ]

  private static let stores: [Reason: Wording] = [
    .storeMissing: Wording("there is no store", "check the path; rasdkit consolidate makes one"),
    .storeExists: Wording("something else stands there", "give another --store"),
    .storeLocked: Wording("another run is using the store", "wait for it to end"),
    .storeBusy: Wording("another run is reading the store", "run it again"),
    .storeUnsettled: Wording(
      "a run on that store was cut short or is not over, and an input is never touched",
      "run rasdkit check on it first"
    ),
    .storeDamaged: Wording(
      "the store is not as it was written",
      "consolidate the sources that it was made of into a new one"
    ),
    .diskFull: Wording(
      "the disk is full; all up to the last batch is kept",
      "make room and run the same command again"
    ),
    .ioError: Wording("the disk does not do what it is told", "look at the system's log"),
    .readOnly: Wording("the store can't be written there", "check the permissions"),
    .sqliteError: Wording("SQLite failed", "rasdkit check says whether the store is whole"),
    .sqlcipherTooOld: Wording(
      "SQLCipher is older than version 4, and stores need that",
      "run ./dev setup and build again"
    ),
    .migrationPending: Wording(
      "the store must be brought up to this version first",
      "run rasdkit consolidate on it, with any source"
    ),
    .migrationChanged: Wording("the store was migrated by a step that is not ours"),
    .migrationFailed: Wording("a migration of the store failed", "run the same command again"),
    .namespaceRequired: Wording(
      "a database does not say whose data it is",
      "give --namespace"
    ),
    .foreignNamespace: Wording("it is another organisation's", "use a store of its own"),
    .unboundNamespace: Wording(
      "the key ring binds its namespace to a key, and another one opened it",
      "ask who made it"
    ),
    .orgUnknown: Wording("the store is empty and has no organisation yet"),
    .orgsDiffer: Wording(
      "the sources are of several organisations, and a store is for one",
      "give --org"
    ),
    .sourceUnknown: Wording(
      "no source's id, or that of more than one, begins so",
      "rasdkit sources list shows their ids"
    ),
    .sourceKnown: Wording("this source was merged before"),
    .cannotReplace: Wording(
      "a filtered or salvaged export, or a store, can't replace what its namespace delivered before",
      "give --mode merge"
    ),
    .sourceExcluded: Wording(
      "this source was excluded from the store, so nothing of it is seen",
      "rasdkit sources include puts it back; where it was purged, consolidate it again then"
    ),
    .sourcePurged: Wording(
      "it is excluded no more, but what it held was purged",
      "consolidate that file again"
    ),
    .sameStore: Wording("this is the store itself"),
  ]

  private static let findings: [Reason: Wording] = [
    .bytesMissing: Wording(
      "an attachment's bytes are in no source",
      "a later export of the device can bring them"
    ),
    .purged: Wording("an uploaded attachment's bytes are no longer on the device"),
    .duplicateContent: Wording("two submissions have the same content"),
    .staleChecksum: Wording("a draft carries the checksum of an earlier content"),
    .checksumAbsent: Wording("a submission that is no draft has no checksum"),
    .leaseAbandoned: Wording("a submission was being sent; it is shown as queued"),
    .clockAhead: Wording("times lie more than a day after the export"),
    .timeUnreadable: Wording("a time can't be read"),
    .databaseRead: Wording("how the database was read"),
    .databaseDamaged: Wording(
      "part of the database could not be read as it was written",
      salvage
    ),
    .documentsUnjoined: Wording(
      "there are more chunks than are joined; the rest of their documents stand in rows/ as chunks"
    ),
    .salvagedRows: Wording("some of the rows that are seen came out of a salvage"),
    .betterCopy: Wording("a better copy of the same row was taken"),
    .attachmentAbsent: Wording("a submission lists an attachment that is in no source"),
    .attachmentDiffers: Wording("a submission lists an attachment otherwise than its row does"),
    .submissionAbsent: Wording("an attachment's submission is in no source"),
    .blobWithoutRow: Wording("no row names this blob"),
    .formAbsent: Wording("submissions were filled with a form version that is in no source"),
    .deviceFork: Wording(
      "two exports of one device disagree about the same revisions",
      "look for a cloned backup"
    ),
    .revRegression: Wording(
      "a later export of a device has lower revisions",
      "look for a phone that was restored"
    ),
    .crossNamespace: Wording(
      "what is seen came from a device that had none of the earlier revisions",
      "rasdkit sources exclude takes its export out again"
    ),
    .outboxDead: Wording("a device gave up sending this"),
    .hostAsset: Wording("a host's own asset; --host-assets takes those too"),
    .outboxDerived: Wording("a due row that is made anew from what it is about"),
  ]

  private static let runs: [Reason: Wording] = [
    .notFound: Wording("nothing is there", "check the path"),
    .notPermitted: Wording("you may not read or write there", "check the permissions"),
    .nothingFound: Wording(
      "there is nothing in it that this command reads",
      "check the path; a bundle, or a damaged export, is to be named itself"
    ),
    .notUTF8: Wording("its name is not UTF-8", "rename it"),
    .ignoredFile: Wording("not an export, and passed over", "name it itself to have it read"),
    .databaseIgnored: Wording(
      "a device's database among exports, passed over: it does not say whose data it is",
      "give --namespace, or rasdkit salvage {path} --to DIR"
    ),
    .outputExists: Wording(
      "something stands there already, and nothing is overwritten",
      "give another path, or --force"
    ),
    .outputReplaced: Wording("what stood there is replaced"),
    .reportNotOurs: Wording("what stands there is no report", "give another --report"),
    .recipeInvalid: Wording("the recipe breaks its schema", "see Docs/recipe.schema.json"),
    .plaintextSource: Wording("it is not encrypted: anybody could have read or changed it"),
    .plaintextWritten: Wording("what is written can be read by whoever gets hold of it"),
    .filterUnknown: Wording("it holds nothing of that name", "check the name"),
    .tooManyFiles: Wording(
      "the system lets this run have no more files open",
      "raise that limit: ulimit -n 1024"
    ),
    .sourceChanged: Wording("it changed while it was read", "run it again"),
    .spaceShort: Wording("the disk may not have room for all of it", "make room"),
    .interrupted: Wording("stopped", "run the same command again to go on"),
    .exportBeside: Wording(
      "an export beside what was asked for, left out: what is written holds one source",
      "with the same keys: rasdkit salvage {path} --to DIR"
    ),
    .severalSources: Wording("there are several exports, and one is meant", "name the one"),
  ]
}
