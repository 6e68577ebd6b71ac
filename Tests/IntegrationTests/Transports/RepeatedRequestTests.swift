import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// Requests on kept-alive connections that the server resets after their heads, over every transport.
@Suite(.timeLimit(.minutes(5))) struct RepeatedRequestTests {
    @Test(arguments: Wire.distinct, [1, 8])
    func `what may not be repeated arrives once, however many kept connections are lost`(wire: Wire, kept: Int)
        async throws
    {
        for size in [0, 3, 100_000] {
            let data = Data(repeating: 7, count: size)
            let body: RequestBody = size == 0 ? .absent : .data(data)
            #expect(try await arrivals(of: .post, body, over: wire, kept: kept) == 1, "POST of \(size) bytes")
            #expect(try await arrivals(of: .put, .once(data), over: wire, kept: kept) == 1, "stream of \(size) bytes")
        }
    }

    @Test(arguments: Wire.distinct) func `what may be repeated arrives a limited number of times`(wire: Wire)
        async throws
    {
        for body in [RequestBody.absent, .data(Data(repeating: 7, count: 3))] {
            let count = try await arrivals(of: .put, body, over: wire, kept: 8)
            #expect(wire.isCurl ? count == 2 : (2...9).contains(count))
        }
    }

    @Test(arguments: Wire.distinct.filter(\.isCurl), [1, 8])
    func `a repeatable request whose connection was lost is sent once more, on a new connection`(wire: Wire, kept: Int)
        async throws
    {
        let server = try LoopbackServer { _ in .text("new") }
        try await withKeptConnections(kept, of: server, over: wire) { transport in
            server.enqueue(.fault(.reset, at: .responseStart))
            let response = try await transport.send(server.request("sent", method: .put, body: .data(Data([7]))))
            #expect(response.metrics?.resends == 1)
            #expect(response.metrics?.isConnectionReused == false)
        }
        #expect(server.requests.filter { $0.path == "/sent" }.count == 2)
    }

    @Test(arguments: Wire.distinct, [LoopbackResponse.status(504), .fault(.reset, at: .responseStart), .fault(.stall)])
    func `an app's list of interceptors books an order once, whatever the answer`(wire: Wire, answer: LoopbackResponse)
        async throws
    {
        for interceptors in [[any RequestInterceptor]].init([.recommended(), .service()]) {
            let server = try LoopbackServer { $0.path == "/orders" ? answer : .text("kept") }
            try await wire.withTransport { transport in
                var configuration = NetworkConfiguration()
                configuration.transport = transport
                let clock = TestClock()
                configuration.clock = clock
                let client = HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
                _ = try await client.request(.get("/"))
                let order = Task { try await client.request(.post("/orders").body(Data("order".utf8))) }
                try await server.wait { $0.requestCount == 2 }
                let ticking = Task {
                    while !Task.isCancelled {
                        clock.advance(by: .seconds(30))
                        await Task.yield()
                    }
                }
                await #expect(throws: NetworkError.self) { try await order.value }
                ticking.cancel()
            }
            #expect(server.requests.filter { $0.path == "/orders" }.count == 1)
        }
    }

    #if canImport(FoundationNetworking)
    @Test func `on shared connections of URLSession an empty POST arrives up to six times, another up to twice`()
        async throws
    {
        let wire = Wire.urlSessionWithSharedConnections
        #expect((3...6).contains(try await arrivals(of: .post, .absent, over: wire, kept: 8)))
        #expect((1...2).contains(try await arrivals(of: .post, .data(Data("pay".utf8)), over: wire, kept: 8)))
        #expect((1...2).contains(try await arrivals(of: .put, .once(Data("pay".utf8)), over: wire, kept: 8)))
    }
    #endif

    /// Counts how often a request arrives while the server resets each connection after its head.
    private func arrivals(of method: HTTPMethod, _ body: RequestBody, over wire: Wire, kept: Int) async throws -> Int {
        let server = try LoopbackServer { _ in .fault(.reset, at: .responseStart) }
        try await withKeptConnections(kept, of: server, over: wire) { transport in
            let error = try await transport.failure(of: server.request("sent", method: method, body: body))
            #expect(error.transportFailure == .lostBeforeResponse)
        }
        return server.requests.filter { $0.path == "/sent" }.count
    }

    /// Provides a transport with idle connections to a server.
    private func withKeptConnections(
        _ count: Int, of server: LoopbackServer, over wire: Wire, _ body: (any Transport) async throws -> Void
    ) async throws {
        let barrier = LoopbackBarrier()
        for _ in 0..<count { server.enqueue(LoopbackResponse.text("kept").held(by: barrier)) }
        try await wire.withTransport(connections: count) { transport in
            let opening = (0..<count).map { _ in Task { try await transport.send(server.request()) } }
            try await barrier.arrivals(atLeast: count)
            barrier.open()
            for call in opening { _ = try await call.value }
            try await body(transport)
        }
    }
}

extension RequestBody {
    /// A one-shot stream.
    fileprivate static func once(_ data: Data) -> Self {
        .stream(
            BodyStream(length: Int64(data.count), isReplayable: false) {
                AsyncThrowingStream { pieces in
                    pieces.yield(data)
                    pieces.finish()
                }
            })
    }
}
