import RasdModel
import RasdPipeline
import RasdReport

/// What was sealed anew; nothing where the source was refused.
struct MigrateText: Presentable {
  let migrated: MigrateJob.Migrated?

  func text(_ terminal: Terminal) -> String {
    guard let migrated else { return "" }
    let rejected = migrated.rows[.rejected]
    return """
      \(Units.count(migrated.rows.rows)) rows and \(Units.count(migrated.blobs)) blobs \
      (\(Units.bytes(migrated.blobBytes))) read back as they were\
      \(rejected > 0 ? ", \(Units.count(rejected)) rows among them that break the rules" : "")
      export   \(SafeText.escape(migrated.path))
      receipt  \(SafeText.escape(migrated.receipt))

      """
  }

  var members: Members {
    var members = Members()
    guard let migrated else { return members }
    members.add("path", migrated.path)
    members.add("receipt", migrated.receipt)
    members.add("from", migrated.from.members)
    members.add("to", migrated.to.members)
    members.add("rows", migrated.rows.rows)
    members.add("rejected", migrated.rows[.rejected])
    members.add("blobs", migrated.blobs)
    members.add("blobBytes", migrated.blobBytes)
    return members
  }
}
