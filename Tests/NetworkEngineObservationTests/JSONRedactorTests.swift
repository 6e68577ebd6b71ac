import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct JSONRedactorTests {
    @Test(arguments: [
        (#"{"a": 1}"#, #"{"a": 1}"#), (#"{ "x" : "s" , "a":"b"}"#, #"{ "x" : "<redacted>" , "a":"b"}"#),
        (#"{"x": 12.5e3, "y": -1}"#, #"{"x": 0, "y": -1}"#), (#"{"x": true, "y": "s"}"#, #"{"x": true, "y": "s"}"#),
        (#"{"x": null, "y": "s"}"#, #"{"x": null, "y": "s"}"#),
        (
            #"{"x": ["s", {"y": "s", "z": 1}], "y": "t"}"#,
            #"{"x": ["<redacted>", {"y": "<redacted>", "z": 0}], "y": "t"}"#
        ),
        (#"{"y": {"x": {"z": {}}}, "z": "t"}"#, #"{"y": {"x": {"z": {}}}, "z": "t"}"#),
        (#"{"x": "s\"\\", "y": "\u0041"}"#, #"{"x": "<redacted>", "y": "\u0041"}"#),
        (#"{"\u0078": "s"}"#, #"{"\u0078": "<redacted>"}"#),
        (#"["x", "s"]"#, #"["x", "s"]"#), (#"{"x": "s"#, #"{"x": "<redacted>""#),
        (#"{"x": "s\"#, #"{"x": "<redacted>""#),
        ("{x: 's', y: 's', 'x' : \"t\"}", "{x: '<redacted>', y: 's', 'x' : \"<redacted>\"}"),
        ("{'x': ['s', 1], /* don't */ \"x\": 's\\'t'}", "{'x': ['<redacted>', 0], /* don't */ \"x\": '<redacted>'}"),
        ("mutation { a(x: \"s\", y: \"t\") }", "mutation { a(x: \"<redacted>\", y: \"t\") }"),
        ("it's \"x\": \"s\", isn't it", "it's \"x\": \"<redacted>\", isn't it"), ("{x: 's", "{x: '<redacted>'"),
        (#"{'\u0078': 's', \u0078: 's'}"#, #"{'\u0078': '<redacted>', \u0078: '<redacted>'}"#),
        (#"{"x": /* main */ "s" /* "x": 's' */}"#, #"{"x": /* main */ "<redacted>" /* "x": '<redacted>' */}"#),
        ("{'name': 'x', 'value': 's'}", "{'name': 'x', 'value': '<redacted>'}"),
        (#"{'y': '5"', 'x': "s"}"#, #"{'y': '5"', 'x': "<redacted>"}"#),
        (#"{'y': '{"x": "s"}'}"#, #"{'y': "{\"x\": \"<redacted>\"}"}"#),
        ("{ // don't\n \"x\": \"s\" // the users' : y\n}", "{ // don't\n \"x\": \"<redacted>\" // the users' : y\n}"),
        (#"m { a(x: """s \""" t""", y: "v") }"#, #"m { a(x: "<redacted>", y: "v") }"#),
        (#"m { a(x: """s "t" u""", y: """v""") }"#, #"m { a(x: "<redacted>", y: """v""") }"#),
        ("{'x': 0x4D2, y: 0x4D2}", "{'x': 0, y: 0x4D2}"), ("{x: 1234}", "{x: 0}"),
        ("{\"y\": http://a \"x\": \"s\"}", "{\"y\": http://a \"x\": \"<redacted>\"}"),
        ("{'x':'\(String(repeating: "[", count: 513))'}", "{'x':'<redacted>'}"),
        ("]}{\"x\":\"s\"}", "]}{\"x\":\"<redacted>\"}"), ("", ""), ("\"x\":", "\"x\":"),
    ])
    func `values of secret names are removed, and other bytes stay unchanged`(text: String, expected: String) {
        var redactor = JSONRedactor { $0 == "x" }
        #expect(String(decoding: redactor.redact(Data(text.utf8)), as: UTF8.self) == expected)
    }

    @Test func `a found secret is remembered with its decoded text`() {
        var redactor = JSONRedactor { $0 == "x" }
        _ = redactor.redact(Data(#"{"x": ["a\/b", 12]}"#.utf8))
        #expect(redactor.found == ["a/b", "12"])
    }

    @Test(arguments: [
        "'", "\\'", "'\\", ",'\\'", "x ", "x:'", "\\\"'", "\"\"\"\"", "\"\"\"\\", "\\\"\"\"\"<a>S", "\\\"\"\"a", "{/",
        "{/*", "{'x':\n",
    ])
    func `a long text takes a moment`(part: String) {
        var redactor = JSONRedactor { $0 == "x" }
        // The square of the length would take longer than the suite may.
        let data = Data(String(repeating: part, count: TestLength.part(of: 20_000)).utf8)
        #expect(!redactor.redact(data).isEmpty)
    }

    @Test(arguments: 0..<20) func `any bytes can be redacted`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]":,\xs1-e. '/*u"#.utf8) + [0, 0xC3, 0xFF]
        for _ in 0..<TestLength.part(of: 500) {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            var redactor = JSONRedactor { $0 == "x" }
            #expect(redactor.redact(Data(bytes)).count < 1_000)
        }
    }
}
