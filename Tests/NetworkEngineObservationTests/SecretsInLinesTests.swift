import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Secrets in tables and in server-sent events.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct SecretsInLinesTests {
    private func redact(_ body: String, _ type: String) -> (body: String, secrets: Set<String>) {
        var redactor = MessageRedactor()
        let response = HARResponse(statusCode: 200, headers: ["Content-Type": type], body: Data(body.utf8))
        let text = redactor.redact(response, to: nil).content.text ?? ""
        return (text, redactor.secrets)
    }

    @Test(arguments: [
        ("name,password,city\nAda,hunter2,London\nBob,,Oslo\n", "name,password,city\nAda,R,London\nBob,,Oslo\n"),
        ("name;\"API key\"\r\nAda;hunter2\r\n", "name;\"API key\"\r\nAda;R\r\n"),
        ("\u{FEFF}token\tname\nhunter2\tAda", "token\tname\nR\tAda"),
        ("a,token\n\"b,\"\"c\"\"\",\"hunter2\nhunter3\"\nd,hunter4", "a,token\n\"b,\"\"c\"\"\",R\nd,R"),
        ("a,token\nhunter3\nb,c,hunter3\n\nd,hunter2\n", "a,token\nR\nR,R,R\n\nd,R\n"),
        ("\"Name, full\";\"IBAN\"\n\"Ada\";hunter2", "\"Name, full\";\"IBAN\"\n\"Ada\";R"),
        ("\"Name; full\",password\nAda,hunter2", "\"Name; full\",password\nAda,R"),
        ("sep=;\nname;password\nAda;hunter2", "sep=;\nname;password\nAda;R"),
        ("\r\n# export, users\r\nname,password\r\nAda,hunter2", "\r\n# export, users\r\nname,password\r\nAda,R"),
        ("#,name,password\n1,Ada,hunter2\n", "#,name,password\n1,Ada,R\n"),
        ("# user, password\nAda, hunter2", "# user, password\nAda,R"),
        ("# tokens, users\nname,password,city\nAda,hunter2,Oslo", "# tokens, users\nname,password,city\nR,R,Oslo"),
        ("pin,Name (first|last)\nhunter2,Ada", "pin,Name (first|last)\nR,Ada"),
        ("pin,name (a;b;c)\nhunter2,x", "pin,name (a;b;c)\nR,x"),
        ("Height 5\",pin\n180,hunter2", "Height 5\",pin\n180,R"),
        ("name,token\nAda,hunter2,\n", "name,token\nAda,R,\n"), ("SEP=|\na,b|pin\n1|hunter2", "SEP=|\na,b|pin\n1|R"),
        ("\"sep=;\"\nname;pin\nAda;hunter2", "\"sep=;\"\nname;pin\nAda;R"), ("#", "#"), ("\r", "\r"), ("sep=", "sep="),
        ("code,name\nitem-1234,Chair", "code,name\nitem-1234,Chair"),
        ("a,token\nb,\"hunter2", "a,token\nb,R"), ("token\nhunter2\n7\n", "token\nR\nR\n"),
        ("a,b\n1,2\n3\n", "a,b\n1,2\n3\n"), ("a,next page token\n1,2", "a,next page token\n1,2"), ("", ""),
    ])
    func `the values of a column with a secret name are hidden`(body: String, shown: String) {
        for type in ["text/csv; charset=utf-8", "text/tab-separated-values", "text/comma-separated-values"] {
            let redacted = redact(body, type)
            #expect(redacted.body == shown.replacing("R", with: Redaction.placeholder))
            #expect(redact(redacted.body, type).body == redacted.body)
            #expect(!body.contains("hunter2") || redacted.secrets.contains { $0.contains("hunter2") })
        }
    }

    @Test func `names with commas can be separated by tabs`() {
        let redacted = redact("Name, full, old\tpin\nAda, L, -\thunter2\n", "text/tab-separated-values")
        #expect(redacted.body == "Name, full, old\tpin\nAda, L, -\t\(Redaction.placeholder)\n")
    }

    @Test func `a row of another length is hidden, and its values are looked for nowhere else`() {
        let redacted = redact("a,token\nhunter2-hunter2,\"Oslo\",Norway\nTotal users 2\n", "text/csv")
        #expect(redacted.secrets == [] && !redacted.body.contains("hunter2") && !redacted.body.contains("Norway"))
    }

    @Test func `the time for a table grows with its length, not with the square of it`() {
        let pieces = ["a,\"", "\"", "\n", ",", "a,b\n", "\"\","].map { ("token,a\n", $0) }
        let comments = ["#\"\n", "#,\"\n", "#,\"\"\"\n", "#a,\"\"\n", "#,\"|\n", "sep=\"\n"].map { ("", $0) }
        for (start, piece) in pieces + comments {
            let growth = growthOfTime(from: 4 << 10) { length in
                let body = start + String(repeating: piece, count: length / piece.utf8.count)
                return { _ = redact(body, "text/csv") }
            }
            #expect(growth < 32, "\(piece)")
        }
    }

    @Test(arguments: [
        ("\u{FEFF}data: {\"token\":\ndata: \"hunter2\"}\n\n", "data: {\"token\":\ndata: \"R\"}\n\n"),
        ("data: {\"token\":\ndata: \"hunter2\"}\n\n", "data: {\"token\":\ndata: \"R\"}\n\n"),
        (
            ": c\r\nevent: a\r\ndata:{\"token\":\r\nid: 7\r\ndata\r\ndata: \"hunter2\"}\r\n\r\ndata: b\r\n",
            ": c\r\nevent: a\r\ndata:{\"token\":\r\nid: 7\r\ndata\r\ndata: \"R\"}\r\n\r\ndata: b\r\n"
        ),
        ("data: {\"token\": [\ndata: \"hunter2\",\ndata: 7]}", "data: {\"token\": [\ndata: \"R\",\ndata: 0]}"),
        (
            "data: <token>\ndata: hunter2\ndata: </token>\n\n",
            "data: <token>\ndata: &lt;redacted&gt;\ndata: </token>\n\n"
        ),
        ("data: {\"token\":\rdata: \"hunter2\"}\r\r", "data: {\"token\":\rdata: \"R\"}\r\r"),
        ("data: {\"a\":\ndata: \"b\"}\n\ndata: +2\n\n", "data: {\"a\":\ndata: \"b\"}\n\ndata: +2\n\n"),
        ("data: {\"token\":\n\ndata: \"b\"}\n\n", "data: {\"token\":\n\ndata: \"b\"}\n\n"),
    ])
    func `a secret is hidden in the lines of an event, which are one text`(body: String, shown: String) {
        let redacted = redact(body, "text/event-stream; charset=utf-8")
        #expect(redacted.body == shown.replacing("R", with: Redaction.placeholder))
        #expect(redact(redacted.body, "text/event-stream").body == redacted.body)
        #expect(!body.contains("hunter") || redacted.secrets.contains("hunter2"))
    }

    @Test func `a text with fewer lines than before is shown in as many lines as it has`() {
        let key = "-----BEGIN PRIVATE KEY-----\ndata: aHVudGVyMg\ndata: aHVudGVyMg\ndata: -----END PRIVATE KEY-----"
        let shown = redact("data: \(key)\ndata: b\n\ndata: c\n\n", "text/event-stream").body
        #expect(!shown.contains("aHVudGVyMg") && shown.hasSuffix("data: b\n\ndata: c\n\n"))
    }
}
