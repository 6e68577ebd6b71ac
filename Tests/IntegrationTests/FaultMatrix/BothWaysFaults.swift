import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Faults at each point of a duplex call. URLSession doesn't support such calls.
@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used"))
struct BothWaysFaults {
    /// A point that a call has reached and can't leave without help.
    enum Point: String, CaseIterable {
        case beforeAnswer = "before the answer"
        case insideHead = "inside the head of the response"
        case afterHead = "after the head of the response"
        case reading = "between two pieces of the response"
        case writing = "while the writer waits for room"
        case written = "after the last byte of the request"
        case insideTrailers = "inside the fields after the response's body"
    }

    enum End: String, CaseIterable {
        case close = "the server closes the connection"
        case reset = "the server resets the connection"
        case cancel = "the caller cancels the call"
    }

    private func client(
        _ server: LoopbackServer, _ transport: CurlTransport, interceptors: [any RequestInterceptor] = []
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    /// A server that remains at the point until the test releases it.
    private func server(at point: Point, _ barrier: LoopbackBarrier, reached: OneShot<Void>, _ end: OneShot<Void>)
        throws
        -> LoopbackServer
    {
        let staying: @Sendable () async throws -> Void = {
            reached.settle(())
            try await end.wait()
        }
        let response: LoopbackResponse =
            switch point {
            case .beforeAnswer:
                .receiving { exchange in
                    for try await _ in exchange.received { try await staying() }
                    return .status(500)
                }
            case .insideHead:
                .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Cut: 1\r\n\r\n")
                    .held(by: barrier, at: .responseHead(afterBytes: 50))
            case .afterHead:
                .duplex { _ in try await staying() }
            case .reading, .writing:
                .duplex { exchange in
                    try await exchange.send(Data("a".utf8))
                    try await staying()
                }
            case .written:
                .duplex { exchange in
                    try await exchange.send(Data("a".utf8))
                    for try await _ in exchange.received {}
                    try await staying()
                }
            case .insideTrailers:
                .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Whole: 1\r\nX-Cut: 1")
                    .held(by: barrier, at: .responseBody(afterBytes: 1_000))
            }
        return try LoopbackServer(early: { _ in response.early() }, handler: { _ in .status(500) })
    }

    @Test(arguments: Point.allCases, End.allCases)
    func `a call ends once at every point, and its writer learns it`(point: Point, end: End) async throws {
        let (reached, seen, left, barrier) = (OneShot<Void>(), OneShot<Void>(), OneShot<Void>(), LoopbackBarrier())
        let server = try server(at: point, barrier, reached: reached, left)
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let client = client(server, transport, interceptors: .recommended())
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        if point == .written { writer.finish() }
        let reading = Task { () throws -> HTTPHeaders? in
            let answers = try await client.stream(.put("/"), sending: body)
            if point == .afterHead { seen.settle(()) }
            for try await _ in answers { seen.settle(()) }
            return answers.trailers
        }
        let writing = Task { while point == .writing { try await writer.write(Data(count: 1 << 20)) } }
        switch point {
        case .insideHead, .insideTrailers: try await barrier.arrivals(atLeast: 1)
        default: try await reached.wait()
        }
        if point != .beforeAnswer, point != .insideHead { try await seen.wait() }
        if point == .writing { while !writer.isWaiting { await Task.yield() } }
        switch end {
        case .close: server.closeConnections(.close)
        case .reset: server.closeConnections(.reset)
        case .cancel: reading.cancel()
        }
        let error = await #expect(throws: NetworkError.self) { try await reading.value }
        switch (end, point) {
        case (.cancel, _): #expect(error?.kind == .cancelled)
        case (_, .beforeAnswer), (_, .insideHead):
            #expect(error?.transportFailure == .lostBeforeResponse, "\(String(describing: error))")
        default:
            #expect(error?.transportFailure == .lostMidBody, "\(String(describing: error))")
        }
        let late = await #expect(throws: NetworkError.self) {
            while true { try await writer.write(Data(count: 1 << 16)) }
        }
        #expect(late?.kind == (point == .written ? .invalidRequest : .transport))
        if point == .writing {
            await #expect(throws: NetworkError.self) { try await writing.value }
        }
        // A server that isn't reading notices the end only when it continues.
        left.settle(())
        barrier.open()
        _ = try await server.wait { $0.openConnections == 0 }
        // A body that is being written isn't sent a second time.
        #expect(server.record.acceptedConnections == 1)
    }

    @Test func `a call that is canceled before its connection opens none`() async throws {
        struct Waiting: RequestInterceptor {
            let reached: OneShot<Void>
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                reached.settle(())
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            }
        }
        let server = try LoopbackServer { _ in .text("x") }
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let reached = OneShot<Void>()
        let client = client(server, transport, interceptors: [Waiting(reached: reached)])
        let (body, writer) = BodyStream.makeStream()
        let call = Task { try await client.stream(.put("/"), sending: body) }
        try await reached.wait()
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
        #expect(error?.kind == .cancelled)
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
        #expect(server.record.acceptedConnections == 0)
    }

    /// A server's possible responses before it has read the body.
    @Test(arguments: [
        LoopbackResponse.status(401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""]),
        .status(408), .status(413), .status(417), .status(425), .status(429, headers: ["Retry-After": "0"]),
        .status(503, headers: ["Retry-After": "0"]),
        .status(307, headers: ["Location": "/other"]), .status(308, headers: ["Location": "/other"]),
    ])
    func `a body that is written meanwhile is sent once, whatever the server answers`(answer: LoopbackResponse)
        async throws
    {
        let server = try LoopbackServer(early: { _ in answer.ending(.close).early() }, handler: { _ in .status(500) })
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let refreshes = Locked(0)
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { _, _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken("new")
        }
        let client = client(server, transport, interceptors: .recommended(credential: session))
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        let error = await #expect(throws: NetworkError.self) {
            for try await _ in try await client.stream(.put("/"), sending: body) {}
        }
        #expect(error?.statusCode == answer.status, "\(String(describing: error))")
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
        #expect(server.requests.count == 1)
        #expect(refreshes.withLock { $0 } == 0)
        _ = try await server.wait { $0.openConnections == 0 }
    }

    @Test func `a redirect to a page is followed without the body`() async throws {
        let server = try LoopbackServer(
            early: { $0.path == "/" ? .status(303, headers: ["Location": "/page"]).ending(.close).early() : nil },
            handler: { .text("\($0.method) \($0.body.count)") })
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        var text = Data()
        for try await piece in try await client(server, transport).stream(.post("/"), sending: body) { text += piece }
        #expect(text == Data("GET 0".utf8))
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
    }

    @Test func `a server that ends only its own direction ends the response, and the writer learns it`() async throws {
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nenough"
        let server = try LoopbackServer(
            early: { _ in .raw(whole).fault(.halfClose, at: .responseEnd).early() }, handler: { _ in .status(500) })
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        var text = Data()
        for try await piece in try await client(server, transport).stream(.post("/"), sending: body) { text += piece }
        #expect(text == Data("enough".utf8))
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
        _ = try await server.wait { $0.openConnections == 0 }
    }
}
