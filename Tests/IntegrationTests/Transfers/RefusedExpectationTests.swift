import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

/// A server that rejects `Expect` with a 417 and keeps the connection. Other servers close it.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Program.path(of: "python3") != nil, "python3 is not installed"))
struct RefusedExpectationTests {
    /// How the server interprets the bytes after its 417.
    enum Continuation: String, CaseIterable { case reads, next }

    private static let body = Data(repeating: 7, count: 2 << 20)

    private func withServer<Value>(
        _ continuation: Continuation,
        _ wire: Wire,
        interceptors: [any RequestInterceptor],
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("expectation-server.py")
        let python = try #require(Program.path(of: "python3"))
        let process = try ChildProcess(python, [script.path, continuation.rawValue], discardsErrors: true)
        let url = try #require(URL(string: "http://127.0.0.1:\(process.readPort())/"))
        return try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.timeout) = (transport, .seconds(20))
            defer { withExtendedLifetime(process) {} }
            return try await body(HTTPClient(baseURL: url, interceptors: interceptors, configuration: configuration))
        }
    }

    @Test(arguments: Continuation.allCases, Wire.all)
    func `a 417 on a kept connection repeats the request once, without the expectation`(
        continuation: Continuation,
        wire: Wire
    ) async throws {
        try await withServer(continuation, wire, interceptors: [RetryPolicy(), ExpectContinue()]) { client in
            let answer: Data = try await client.request(.put("/a").body(Self.body))
            #expect(String(decoding: answer, as: UTF8.self) == "\(Self.body.count)")
            let log: Data = try await client.request(.get("/log"))
            let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
            #expect(lines.filter { $0 == "PUT expects" }.count == 1)
            #expect(lines.filter { $0 == "PUT \(Self.body.count)" }.count == 1)
        }
    }

    @Test(.enabled(if: CurlTransport.isAvailable, "there is no libcurl"), arguments: Continuation.allCases)
    func `over libcurl a 417 is delivered to a caller who asked for the expectation`(
        continuation: Continuation
    ) async throws {
        try await withServer(continuation, .curl, interceptors: []) { client in
            let error = await #expect(throws: NetworkError.self) {
                try await client.send(.post("/a", headers: ["Expect": "100-continue"]).body(Self.body))
            }
            #expect(error?.statusCode == 417)
            let log: Data = try await client.request(.get("/log"))
            #expect(String(decoding: log, as: UTF8.self) == "POST expects")
        }
    }
}
