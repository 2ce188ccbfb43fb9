import RasdModel

/// Which salvaged rows may enter an export or a store (salvage, §Rows).
///
/// Live rows and orphans graded plausible or better do; the rest is evidence, which a person asks
/// for by name.
package struct Admission: Sendable {
  /// What may be asked for.
  package enum Inclusion: String, Sendable, CaseIterable {
    case deleted, history, doubtful, partial, contradicted
  }

  private var kinds: Set<RowKind> = [.live, .orphan]
  private var grades: Set<Grade> = Set(Grade.allCases.filter { $0 >= .plausible })

  package init(including: [Inclusion] = []) {
    for inclusion in including {
      switch inclusion {
      case .deleted: kinds.formUnion([.freelist, .freeblock, .gap])
      case .history: kinds.insert(.history)
      case .doubtful: grades.insert(.doubtful)
      case .partial: grades.insert(.partial)
      case .contradicted: grades.insert(.contradicted)
      }
    }
  }

  /// What proves itself: by its own checksum, or by the seal of the part that it stands in.
  static var proved: Admission {
    var admission = Admission()
    admission.grades = Set(Grade.allCases.filter { $0 >= .intact })
    return admission
  }

  /// All that there is.
  static let everything = Admission(including: Inclusion.allCases)

  func admits(_ grade: Grade, _ kind: RowKind) -> Bool {
    kinds.contains(kind) && grades.contains(grade)
  }
}
