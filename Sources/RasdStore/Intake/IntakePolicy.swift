package import RasdMerge
package import RasdModel

/// How a source's rows are taken.
package struct IntakePolicy: Sendable {
  package var onConflict: ConflictPolicy
  /// Whether host assets (`basemap:` ids of no submission) are taken too.
  package var takesHostAssets: Bool
  /// Whether the source stands in for its namespace's earlier ones.
  package var replaces: Bool
  /// Whether a store's export may not speak for a namespace: a key ring binds it.
  package var refusesNamespace: @Sendable (Namespace) -> Bool

  package init(
    onConflict: ConflictPolicy = .keepHigherRev,
    takesHostAssets: Bool = false,
    replaces: Bool = false,
    refusesNamespace: @escaping @Sendable (Namespace) -> Bool = { _ in false }
  ) {
    self.onConflict = onConflict
    self.takesHostAssets = takesHostAssets
    self.replaces = replaces
    self.refusesNamespace = refusesNamespace
  }
}

/// What became of one row.
package struct RowReceipt: Hashable, Sendable {
  package let table: TableName
  package let key: RowKey?
  package let outcome: RowOutcome
  /// Why it was kept or rejected, where that needs saying.
  package let reason: Reason?

  init(_ outcome: RowOutcome, table: TableName, key: RowKey?, reason: Reason? = nil) {
    self.table = table
    self.key = key
    self.outcome = outcome
    self.reason = reason
  }
}
