import RasdModel
import Testing

@Suite struct JSONPointerTests {
  @Test(
    arguments: [
      (#"{"a":1}"#, #"{"a":1.0}"#, []), (#"{"a":1}"#, #"{"a":2}"#, ["/a"]),
      (#"{"a":{"b":[1,2]}}"#, #"{"a":{"b":[1,3,4]}}"#, ["/a/b/1", "/a/b/2"]),
      (#"{"a":null}"#, #"{}"#, ["/a"]), (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#, []),
      (#"{"a/b":1,"m~n":1,"":1}"#, #"{"a/b":2,"m~n":2,"":2}"#, ["/", "/a~1b", "/m~0n"]),
      (#"{"a":[]}"#, #"{"a":{}}"#, ["/a"]), ("1", "2", [""]), ("[]", "{}", [""]),
      ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", ["/e\u{301}", "/\u{E9}"]),
      ("{\"a\":\"\u{E9}\"}", "{\"a\":\"e\u{301}\"}", ["/a"]),
    ] as [(String, String, [String])]
  ) func differences(a: String, b: String, pointers: [String]) throws {
    let left = try JSONValue.parse(Array(a.utf8))
    let right = try JSONValue.parse(Array(b.utf8))
    let bytes = pointers.map { Array($0.utf8) }
    #expect(JSONPointer.differences(left, right).map { Array($0.utf8) } == bytes)
    #expect(JSONPointer.differences(right, left).map { Array($0.utf8) } == bytes)
  }

  @Test func atMostAsManyAsAsked() {
    let a = JSONValue.array((0..<5000).map { .number(JSONNumber(Int64($0))) })
    let b = JSONValue.array((0..<5000).map { .number(JSONNumber(Int64($0) + 1)) })
    #expect(JSONPointer.differences(a, b, limit: 10).count == 10)
    #expect(JSONPointer.differences(a, b).count == 1000)
  }
}
