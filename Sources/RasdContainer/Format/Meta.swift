package import RasdModel

/// The private facts of an export: `meta.json`, whose members are free (the format,
/// §manifest.json).
///
/// A known member of another kind than it should be counts as absent.
package struct ExportMeta: Hashable, Sendable {
  package let json: JSONValue

  package init(_ json: JSONValue) { self.json = json }

  package var device: String? { json["device"]?.string }
  package var app: String? { json["app"]?.string }
  package var platform: String? { json["platform"]?.string }
  /// Counts up, one an export of this installation.
  package var exportSeq: Int64? { json["exportSeq"]?.int }
  /// The filters of a filtered export; nil for a whole one.
  package var scope: JSONValue? {
    json["scope"].flatMap { $0.isNull ? nil : $0 }
  }
  /// `device`, `store`, `salvage` or `migration`.
  package var origin: String? { json["origin"]?.string }

  package static func == (a: ExportMeta, b: ExportMeta) -> Bool { a.json == b.json }
  package func hash(into hasher: inout Hasher) { hasher.combine(json.text) }
}
