import Foundation
import NetworkEngine
import TestSupport
import Testing

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
}
