import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ResponseStreamTests {
    private func text(ofFile file: URL) async throws -> String {
        let response = HTTPResponse(statusCode: 200, body: .file(file), request: HTTPRequest(url: API.base))
        return String(decoding: try await ResponseStream(response).reduce(Data(), +), as: UTF8.self)
    }

    @Test func `a body in a file is read`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await text(ofFile: folder.file("body", "text")) == "text")
        #expect(try await text(ofFile: folder.file("empty", "")).isEmpty)
    }

    @Test func `a body in a file that cannot be read fails, and is not empty`() async throws {
        let folder = try TemporaryFolder()
        let missing = folder.url.appendingPathComponent("missing")
        let error = await #expect(throws: NetworkError.self) { try await text(ofFile: missing) }
        #expect(error?.kind == .transport && error?.underlying != nil)
    }

    /// Takes a member's name from another member.
    private struct Person: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            _ = try container.decode(Int.self, forKey: Key(stringValue: "age"))
            let name = try container.decode(String.self, forKey: Key(stringValue: "name"))
            _ = try container.decode(Int.self, forKey: Key(stringValue: name))
        }
    }

    private static let lines: [(line: String, reason: String)] = [
        (#"{"age": 1.5}"#, "a value or number that does not fit its type"),
        (#"{"age": 7, "name": "top-secret"}"#, "no value for a key at the top level"),
    ]

    @Test(arguments: lines, [0, 5_000])
    func `the error of a JSON line explains the line, and has it as its body`(
        row: (line: String, reason: String), blanks: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let line = row.line + String(repeating: " ", count: blanks)
        let body = ResponseBody.file(try folder.file("lines", line + "\n"))
        let response = HTTPResponse(statusCode: 200, body: body, request: HTTPRequest(url: API.base))
        let error = await #expect(throws: NetworkError.self) {
            for try await _ in ResponseStream(response).jsonLines(as: Person.self) {}
        }
        #expect(error?.kind == .decoding && error?.reason == row.reason)
        #expect(error?.response?.data == Data(line.utf8))
    }
}
