/// Options that several commands share; each is written once, here.
enum Options {
  // Keys of the sources
  static let passphraseFile = Option.each(
    "--passphrase-file",
    "FILE",
    "a passphrase; one line end at its end is not part of it"
  )
  static let passphraseFD = Option.each(
    "--passphrase-fd",
    "N",
    "the same, read from a file descriptor"
  )
  static let keyFile = Option.each("--key-file", "FILE", "a raw key, 64 hex digits")
  static let identity = Option.each("--identity", "FILE", "a private key, PEM")
  static let keyRing = Option.one(
    "--key-ring",
    "FILE",
    "JSON that says which key opens which namespace's exports"
  )
  static let allowPlaintext = Option.flag(
    "--allow-plaintext",
    "take sources that are not encrypted; a finding each"
  )

  static let sourceKeys = OptionGroup(
    "Keys of the sources, each tried; without one, a prompt",
    [passphraseFile, passphraseFD, keyFile, identity, keyRing, allowPlaintext]
  )

  // The store and its keys
  static let store = Option.place("--store", "DIR", "the store's folder")
  static let storePassphraseFile = Option.one("--store-passphrase-file", "FILE", "its passphrase")
  static let storePassphraseFD = Option.one(
    "--store-passphrase-fd",
    "N",
    "the same, read from a file descriptor"
  )
  static let storeKeyFile = Option.one("--store-key-file", "FILE", "its raw key, 64 hex digits")
  static let storeIdentity = Option.one("--store-identity", "FILE", "its private key, PEM")

  static let storeKeys = OptionGroup(
    "The store, and its own key; without one, a prompt",
    [store, storePassphraseFile, storePassphraseFD, storeKeyFile, storeIdentity]
  )

  // What is written
  static let to = Option.place("--to", "PATH", "what to write")
  static let toRecipient = Option.each("--to-recipient", "FILE", "seal to this public key, PEM")
  static let toPassphraseFile = Option.each(
    "--to-passphrase-file",
    "FILE",
    "seal with this passphrase"
  )
  static let toKeyFile = Option.each("--to-key-file", "FILE", "seal with this raw key")
  static let toPlaintext = Option.flag("--to-plaintext", "do not seal; a warning in the report")
  static let force = Option.flag(
    "--force",
    "overwrite what stands there, after saying what that loses"
  )

  static let recipients = OptionGroup(
    "Who can open what is written, at least one",
    [toRecipient, toPassphraseFile, toKeyFile, toPlaintext]
  )

  // Filters
  static let forDevice = Option.one(
    "--for-device",
    "NAMESPACE",
    "only what this device should hold, under its namespace"
  )
  static let form = Option.each("--form", "ID", "only submissions of this form")
  static let status = Option.each("--status", "STATUS", "only submissions of this status")
  static let since = Option.one("--since", "TIME", "only submissions updated at or after it")
  static let tables = Option.one("--tables", "LIST", "only these tables, separated by commas")
  static let noBlobs = Option.flag("--no-blobs", "no attachments' bytes")

  static let filters = OptionGroup(
    "Filters, which the export's scope declares",
    [forDevice, form, status, since, tables, noBlobs]
  )

  // How a run speaks
  static let report = Option.one("--report", "FILE", "write the JSONL report there, - for stdout")
  static let rows = Option.choice("--rows", ["news", "all"], "which rows the report lists")
  static let includeValues = Option.flag(
    "--include-values",
    "put keys of datasets and kv into the report as they are"
  )
  static let reproducible = Option.flag(
    "--reproducible",
    "a report without clock or chance: same input, same bytes"
  )
  static let json = Option.flag("--json", "results as JSON")
  static let quiet = Option.flag("--quiet", "no progress")
  static let progress = Option.choice("--progress", ["auto", "json"], "how progress is shown")
  static let strict = Option.flag("--strict", "warnings make the exit status 1")
  static let dryRun = Option.flag("--dry-run", "do all but write")
  static let jobs = Option.number(
    "--jobs",
    "N",
    "threads to work with, as many as cores if not given"
  )

  static let speech = OptionGroup(
    "Report and output",
    [report, rows, includeValues, reproducible, json, quiet, progress, strict, jobs]
  )

  /// What the others leave: commands that finish in a moment.
  static let briefSpeech = OptionGroup("Output", [json, quiet])
}
