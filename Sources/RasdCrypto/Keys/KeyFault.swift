/// A key that can't be used: what was given instead, and where.
package struct KeyFault: Error, Hashable, Sendable {
  package let nature: KeyNature

  package init(_ nature: KeyNature) { self.nature = nature }
}
