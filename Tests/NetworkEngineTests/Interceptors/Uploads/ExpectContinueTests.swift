import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ExpectContinueTests {
    private func expectation(of body: RequestBody, _ headers: HTTPHeaders = [:]) async throws -> String? {
        let request = HTTPRequest(method: .put, url: API.base, headers: headers, body: body)
        return try await ExpectContinue().adapt(request, context: RequestContext()).headers["Expect"]
    }

    @Test(arguments: [(0, nil), ((1 << 20) - 1, nil), (1 << 20, "100-continue")] as [(Int, String?)])
    func `only a large body is sent with the expectation`(count: Int, expected: String?) async throws {
        #expect(try await expectation(of: .data(Data(count: count))) == expected)
        let stream = BodyStream(length: Int64(count)) { AsyncThrowingStream { $0.finish() } }
        #expect(try await expectation(of: .stream(stream)) == expected)
    }

    @Test func `a body of unknown length is sent with the expectation, and a missing body without`() async throws {
        #expect(
            try await expectation(of: .stream(BodyStream { AsyncThrowingStream { $0.finish() } })) == "100-continue")
        #expect(try await expectation(of: .absent) == nil)
    }

    @Test(arguments: [10, 1 << 20]) func `a symbolic link is as large as its file`(count: Int) async throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appendingPathComponent("link")
        let file = try folder.file("file", String(repeating: "x", count: count))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try await expectation(of: .file(link)) == (count == 10 ? nil : "100-continue"))
    }

    @Test func `an Expect header that is set by hand stays`() async throws {
        #expect(try await expectation(of: .data(Data(count: 2 << 20)), ["Expect": "x"]) == "x")
    }

    @Test(arguments: [true, false]) func `a 417 repeats the request without the expectation`(
        isReplayable: Bool
    ) async throws {
        let stream = BodyStream(length: nil, isReplayable: isReplayable) { AsyncThrowingStream { $0.finish() } }
        let request = HTTPRequest(
            method: .put, url: API.base, headers: ["Expect": "100-continue"], body: .stream(stream))
        let sent = Locked<[String?]>([])
        let response = try await ExpectContinue().intercept(request, context: RequestContext()) { request in
            sent.withLock { $0.append(request.headers["Expect"]) }
            return HTTPResponse(statusCode: 417, request: request)
        }
        #expect(response.statusCode == 417)
        #expect(sent.withLock { $0 } == (isReplayable ? ["100-continue", nil] : ["100-continue"]))
    }
}
