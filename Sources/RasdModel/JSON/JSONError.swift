/// A text that is not JSON, or breaks the rules under which it is read.
package struct JSONError: Error, Hashable, Sendable {
  package let fault: JSONFault
  /// The byte at which it shows.
  package let offset: Int

  package init(_ fault: JSONFault, at offset: Int) {
    self.fault = fault
    self.offset = offset
  }
}

package enum JSONFault: String, Hashable, Sendable, CaseIterable {
  case empty
  case byteOrderMark = "byte-order-mark"
  case invalidUTF8 = "invalid-utf8"
  case unexpectedEnd = "unexpected-end"
  case unexpectedByte = "unexpected-byte"
  case invalidNumber = "invalid-number"
  case numberOutOfRange = "number-out-of-range"
  case invalidEscape = "invalid-escape"
  case loneSurrogate = "lone-surrogate"
  case controlCharacter = "control-character"
  case doubledMember = "doubled-member"
  case trailingBytes = "trailing-bytes"
  case tooDeep = "too-deep"
  case tooLong = "too-long"
}

/// Under which rules a text is read.
package struct JSONRules: Hashable, Sendable {
  /// How many containers may stand within each other.
  package var depth: Int
  package var duplicates: Duplicates

  package enum Duplicates: Hashable, Sendable {
    /// Two members of one name are an error.
    case refused
    /// All are kept; looking one up gives the last, as ECMAScript does.
    case kept
  }

  /// 512 is far above any form's nesting, and far below what would exhaust a thread's stack
  /// where a value is walked recursively.
  package static let depthLimit = 512

  package static let strict = JSONRules(depth: depthLimit, duplicates: .refused)
}
