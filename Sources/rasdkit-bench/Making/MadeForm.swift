import RasdCrypto
import RasdModel

/// The one form of every made-up device: a check of a water point.
enum MadeForm {
  static let id = "water-point"
  static let version = "1.2.0"
  static let publishedAt = "2026-08-01T00:00:00.000Z"

  private static let definition = """
    {"rasd":"1.0","id":"water-point","version":"1.2.0",
     "title":{"en":"Water point","ar":"نقطة مياه"},
     "pages":[{"name":"p1","elements":[
      {"name":"point","type":"text","required":true},
      {"name":"condition","type":"choice","required":true},
      {"name":"depth_m","type":"decimal"},
      {"name":"litres_per_minute","type":"decimal"},
      {"name":"note","type":"text"},
      {"name":"photo","type":"image"}]}]}
    """

  static func row() throws -> JSONValue {
    [
      "id": .string(id), "version": .string(version), "definitionHash": .string(try hash()),
      "title": "Water point", "rasd": "1.0", "publishedAt": .string(publishedAt),
      "updatedAt": .string(publishedAt), "definition": try json(),
    ]
  }

  static func hash() throws -> String {
    let canonical = try json().canonical()
    return SHA256.digest(canonical.span).prefixed
  }

  private static func json() throws -> JSONValue {
    try JSONValue.parse(Array(definition.utf8))
  }
}
