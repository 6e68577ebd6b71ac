import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Prepared requests with an `httpBodyStream`, over every transport.
@Suite(.timeLimit(.minutes(5))) struct PreparedStreamTests {
    /// Sends prepared requests over one transport.
    struct Calls: Sendable {
        let client: HTTPClient
        let provider: NetworkProvider<TestTarget>
    }

    /// A call that takes a prepared request.
    enum Caller: CaseIterable {
        case client, provider

        func send(_ request: URLRequest, by calls: Calls) async throws -> HTTPResponse {
            switch self {
            case .client: try await calls.client.send(request)
            case .provider: try await calls.provider.send(request)
            }
        }
    }

    private func withCalls(
        over wire: Wire, to server: LoopbackServer, _ body: (Calls) async throws -> Void
    ) async throws {
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let retries = [RetryPolicy(backoff: .constant(.zero))]
            try await body(
                Calls(
                    client: HTTPClient(baseURL: server.url, interceptors: retries, configuration: configuration),
                    provider: NetworkProvider(interceptors: retries, configuration: configuration)))
        }
    }

    private func request(to server: LoopbackServer, length: Int, announced: Int? = nil) -> URLRequest {
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        if let announced { request.setValue("\(announced)", forHTTPHeaderField: "Content-Length") }
        request.httpBodyStream = InputStream(data: Data(repeating: 7, count: length))
        return request
    }

    @Test(arguments: Wire.all, Caller.allCases)
    func `the server receives the bytes of the stream, whether their number is known or not`(
        wire: Wire, caller: Caller
    ) async throws {
        let server = try LoopbackServer { .text("\($0.bodyCount)") }
        try await withCalls(over: wire, to: server) { calls in
            for length in [0, 5, 3 << 20] {
                for announced in [nil, length] {
                    let request = request(to: server, length: length, announced: announced)
                    let response = try await caller.send(request, by: calls)
                    #expect(response.text == "\(length)")
                }
            }
        }
    }

    @Test(arguments: Wire.all, Caller.allCases)
    func `a stream of up to a megabyte is sent again, and a longer one is not`(wire: Wire, caller: Caller) async throws
    {
        let server = try LoopbackServer { .text("\($0.bodyCount)") }
        try await withCalls(over: wire, to: server) { calls in
            server.enqueue(.status(503))
            let short = request(to: server, length: 1_000)
            let response = try await caller.send(short, by: calls)
            #expect(response.text == "1000" && server.record.requestCount == 2)
            server.enqueue(.status(503))
            let long = request(to: server, length: 2 << 20)
            let error = await #expect(throws: NetworkError.self) { try await caller.send(long, by: calls) }
            #expect(error?.statusCode == 503 && server.record.requestCount == 3)
        }
    }

    @Test(arguments: Caller.allCases)
    func `a stream that was read, or has another length than announced, fails before anything is sent`(caller: Caller)
        async throws
    {
        let server = try LoopbackServer { _ in .text("ok") }
        try await withCalls(over: try #require(Wire.distinct.first), to: server) { calls in
            let request = request(to: server, length: 5)
            _ = try await caller.send(request, by: calls)
            var error = await #expect(throws: NetworkError.self) { try await caller.send(request, by: calls) }
            #expect(error?.transportFailure == .requestBody && error?.reason.contains("already been read") == true)
            let short = self.request(to: server, length: 5, announced: 6)
            error = await #expect(throws: NetworkError.self) { try await caller.send(short, by: calls) }
            #expect(error?.transportFailure == .requestBody && server.record.requestCount == 1)
        }
    }

    @Test(arguments: Wire.all)
    func `a provider reads the response of a prepared request while it arrives`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer()
        server.enqueue(.text("beginning and end").held(by: barrier, at: .responseBody(afterBytes: 9)))
        try await withCalls(over: wire, to: server) { calls in
            let stream = try await calls.provider.stream(URLRequest(url: server.url))
            var text = ""
            for try await piece in stream {
                text += String(decoding: piece, as: UTF8.self)
                barrier.open()
            }
            #expect(text == "beginning and end")
        }
    }
}
