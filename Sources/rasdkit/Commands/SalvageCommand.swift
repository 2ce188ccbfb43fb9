import RasdModel
import RasdPipeline
import RasdSalvage

/// `rasdkit salvage`: every decodable row out of what an incident left.
struct SalvageCommand: Command {
  static let profile = Option.each(
    "--profile",
    "NAME|FILE",
    "what the application's tables look like, else whichever fits; 'generic' for none"
  )
  static let namespace = Option.one("--namespace", "NAME", "whose data it is")
  static let salt = Option.each("--salt", "HEX", "the salt of a database whose page 1 is lost")
  static let fieldKey = Option.each("--field-key", "KID=FILE", "the key of sealed values")
  static let cipher = Option.number("--cipher", "VERSION", "SQLCipher's version, 1 to 4")
  static let pageSize = Option.number("--page-size", "N", "bytes a page")
  static let kdfIterations = Option.number("--kdf-iter", "N", "iterations of the passphrase's KDF")

  static let into = Option.place("--into", "STORE", "merge what may enter into this store")
  static let include = Option.one(
    "--include",
    "LIST",
    "let these enter too: deleted, history, doubtful, partial, contradicted"
  )

  static let spec = CommandSpec(
    name: "salvage",
    purpose: "get every decodable row out",
    synopsis: [
      "[OPTION…] --to DIR|FILE.rasdx DATABASE|EXPORT|DIR",
      "[OPTION…] --into STORE DATABASE|EXPORT|DIR",
    ],
    about: """
      Gets every row that can still be decoded out of a damaged database, says of each where it \
      came from and how far to trust it, and never writes to the evidence. DATABASE is the file; \
      a folder may hold it with its -wal, its -journal, older copies and photos, under any names; \
      exports in it are taken along. \
      What is not given of an encrypted database's format is found by trial. A folder gets \
      everything that was found; an export or a store gets only live rows and orphans that are \
      plausible or better, unless more is asked for, and --namespace says whose a database is. \
      Of a damaged EXPORT what opens is taken in the same way, and the report says which rows and \
      bytes are missing. \
      A profile says what the tables of an application look like, so that rows find their table where \
      the schema is lost: rasd-native, openkeep-cache (whose documents are joined from their \
      chunks), guidebook-mirror, device-only-kv, or a FILE as Docs/profile.schema.json has it.
      """,
    operands: .one("DATABASE|EXPORT|DIR"),
    groups: [
      OptionGroup(
        "What is written",
        [Options.to, into, include, Options.force, Options.dryRun]
      ),
      Options.recipients,
      OptionGroup(
        "The key of the store",
        [
          Options.storePassphraseFile, Options.storePassphraseFD, Options.storeKeyFile,
          Options.storeIdentity,
        ]
      ),
      OptionGroup(
        "Keys, each tried on every page of a database; without one, a plain database",
        [
          Options.keyFile, Options.passphraseFile, Options.passphraseFD, Options.identity,
          Options.keyRing, Options.allowPlaintext, salt, fieldKey,
        ]
      ),
      OptionGroup("What is known of it", [profile, namespace, cipher, pageSize, kdfIterations]),
      Options.speech,
    ],
    examples: [
      (
        "an encrypted database with all that lies beside it",
        "salvage --key-file device.key --to recovered/ incident/"
      ),
      (
        "the same, sealed for the device that replaces it",
        "salvage --key-file k --namespace org.u_7 --to new.rasdx --to-recipient new.pub incident/"
      ),
    ],
    statuses: [
      .incomplete, .nothing, .storeDamaged, .storeLocked, .noKey, .noSpace, .newer, .interrupted,
      .terminated,
    ]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    if RescueJob.isFor(arguments.operands[0]) { return try rescue(arguments, console) }
    let job = SalvageJob(
      evidence: arguments.operands[0],
      keys: try keys(arguments),
      to: try target(arguments),
      options: try options(arguments)
    )
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      SalvageText(salvaged: try job.run(run))
    }
  }

  private static func rescue(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let job = RescueJob(
      path: arguments.operands[0],
      keys: try keys(arguments),
      to: try target(arguments),
      options: try options(arguments)
    )
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      RescueText(rescued: try job.run(run))
    }
  }

  private static func target(_ arguments: Arguments) throws(UsageError) -> SalvageJob.Target {
    let into = arguments.value(into)
    guard let to = arguments.value(Options.to) else {
      guard let into else { throw UsageError("--to or --into is missing") }
      return .store(StorePlace(path: into, keys: try arguments.storeKeys()))
    }
    guard into == nil else { throw UsageError("--to and --into exclude each other") }
    return to.lowercased().hasSuffix(".rasdx") ? .export(to) : .folder(to)
  }

  private static func inclusions(
    _ arguments: Arguments
  ) throws(UsageError) -> [Admission.Inclusion] {
    var inclusions: [Admission.Inclusion] = []
    for word in (arguments.value(include) ?? "").split(separator: ",") {
      guard let inclusion = Admission.Inclusion(rawValue: String(word)) else {
        throw UsageError(
          "--include: there is no '\(SafeText.escape(String(word)))'",
          hint: Admission.Inclusion.allCases.map(\.rawValue).joined(separator: ", ")
        )
      }
      inclusions.append(inclusion)
    }
    return inclusions
  }

  private static func keys(_ arguments: Arguments) throws(UsageError) -> KeyInputs {
    try arguments.sourceKeys()
  }

  private static func options(_ arguments: Arguments) throws(UsageError) -> SalvageJob.Options {
    var options = SalvageJob.Options()
    options.profiles = arguments.values(profile)
    options.overwriting = arguments.overwriting
    options.allowsPlaintext = arguments.has(Options.allowPlaintext)
    options.namespace = try arguments.namespace(namespace)
    options.including = try inclusions(arguments)
    options.recipients = try arguments.recipients()
    if let version = arguments.number(cipher) {
      guard let settings = CipherSettings(version: version) else {
        throw UsageError("--cipher: there is no SQLCipher \(version)", hint: "1, 2, 3 or 4")
      }
      options.cipher = settings
    }
    if let size = arguments.number(pageSize) {
      options.pageSize = size
      options.cipher.pageSize = size
    }
    if let iterations = arguments.number(kdfIterations) {
      options.cipher.kdfIterations = iterations
    }
    for text in arguments.values(salt) {
      guard let bytes = Hex.decode(text), bytes.count == 16 else {
        throw UsageError("--salt: not 32 hex digits")
      }
      options.salts.append(bytes)
    }
    for text in arguments.values(fieldKey) {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw UsageError("--field-key: not KID=FILE")
      }
      options.fieldKeys.append(
        (String(text[..<equals]), String(text[text.index(after: equals)...]))
      )
    }
    return options
  }
}
