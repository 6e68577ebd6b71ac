public import Foundation
public import NetworkEngine

/// The two bodies of an exchange that goes both ways, at the end of a loopback server or of a mock.
///
/// ```swift
/// server.enqueue(
///     .duplex { exchange in
///         for try await piece in exchange.received { try await exchange.send(piece) }
///     })
/// ```
/// Nothing is received before it is read, so that a test can let the client wait.
public final class LoopbackDuplex: Sendable {
    /// The head of the request.
    public let request: LoopbackRequest
    private let bodies: any DuplexBodies
    private let isFinished = Locked(false)
    /// Whether a piece waits for room.
    var isSenderWaiting: Bool { bodies.isSenderWaiting }

    init(_ request: LoopbackRequest, _ bodies: any DuplexBodies) { (self.request, self.bodies) = (request, bodies) }

    /// The pieces of the request's body, as they arrive.
    ///
    /// The sequence ends with the body. It throws if the connection is lost before, or if the body is malformed. One
    /// task at a time may read.
    public var received: Received { Received(exchange: self) }

    /// Sends a piece of the response's body, and returns when the system has taken it.
    ///
    /// Throws `.invalidRequest` after `finish(trailers:)`.
    public func send(_ piece: Data) async throws(NetworkError) {
        if isFinished.withLock({ $0 }) {
            throw NetworkError(kind: .invalidRequest, reason: "the body of the response has ended")
        }
        if !piece.isEmpty { try await bodies.send(piece) }
    }

    /// Ends the response's body. The request's body can still be read.
    public func finish(trailers: HTTPHeaders = [:]) async throws(NetworkError) {
        let isFirst = isFinished.withLock { isFinished in
            defer { isFinished = true }
            return !isFinished
        }
        if isFirst { try await bodies.finish(trailers: trailers) }
    }

    /// Sends an informational response before that of `receiving(_:)`. Over a mock it has no effect.
    public func send(_ interim: LoopbackResponse.Interim) async throws(NetworkError) { try await bodies.send(interim) }

    /// The pieces of a request's body.
    public struct Received: AsyncSequence, Sendable {
        public typealias Element = Data

        fileprivate let exchange: LoopbackDuplex

        public func makeAsyncIterator() -> Iterator { Iterator(exchange: exchange) }

        /// Reads the pieces one by one.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let exchange: LoopbackDuplex

            /// Returns the next piece; `nil` after the last one.
            @concurrent
            public mutating func next() async throws -> Data? { try await exchange.bodies.receive() }
        }
    }
}

/// The work of a server with the request's body of an exchange, and mostly with that of the response.
struct DuplexService: Sendable {
    let work: @Sendable @concurrent (LoopbackDuplex, LoopbackChannel) async throws -> Void

    /// Runs the work, then ends the connection, also after an error.
    func run(over channel: LoopbackChannel, to request: LoopbackRequest, _ parser: RequestParser?) async {
        let exchange = LoopbackDuplex(request, ConnectionBodies(request, channel, parser))
        do { try await work(exchange, channel) } catch {}
        channel.close()
    }
}

extension LoopbackDuplex {
    /// Sends the whole response of a closure that receives the body.
    fileprivate func respond(
        over channel: LoopbackChannel,
        with answer: @Sendable (LoopbackDuplex) async throws -> LoopbackResponse
    ) async throws {
        if request.headers["Expect"]?.lowercased() == "100-continue" { try await send(.init(100)) }
        var script = ResponseScript(try await answer(self), to: nil, keepsAlive: false)
        while true {
            switch script.next() {
            case .send(let bytes): try await channel.send(bytes)
            case .incident(.wait(let pause)): try await Task.sleep(for: pause)
            case .incident(.hold): break
            case .incident(.fault), .end: return
            }
        }
    }
}

extension LoopbackResponse {
    /// Answers while the body of the request arrives, and runs a closure with both bodies.
    ///
    /// The head is sent as soon as that of the request was read, if the response is enqueued or the server's `early`
    /// gives it. When the closure returns, the response's body ends, then the connection. If the closure throws, the
    /// connection ends inside the body. The task of the closure is canceled when `closeConnections(_:)` ends the
    /// connection, and when the server stops.
    public static func duplex(
        status: Int = 200,
        headers: HTTPHeaders = [:],
        _ body: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> Void
    ) -> Self {
        var response = Self(status: status, headers: headers)
        response.headers["Transfer-Encoding"] = "chunked"
        // Without a hint that the connection ends with the response.
        response.headers["Connection"] = response.headers["Connection"] ?? "keep-alive"
        response.framing = .untilClose
        response.isEarly = true
        response.upgrade = .duplex(
            DuplexService { exchange, _ in
                try await body(exchange)
                try await exchange.finish()
            })
        return response
    }

    /// Responds after a closure has received the body of the request piece by piece.
    ///
    /// ```swift
    /// .receiving { exchange in
    ///     var count = 0
    ///     for try await piece in exchange.received { count += piece.count }
    ///     return .text("\(count)")
    /// }
    /// ```
    /// The response is enqueued, or given by the server's `early`. Of its incidents, waits and those that end the
    /// connection before the response are performed. The connection ends after the response. If the closure throws, it
    /// ends without one.
    public static func receiving(
        _ answer: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> LoopbackResponse
    ) -> Self {
        var response = Self()
        // Nothing is sent before the closure returns.
        response.rawHead = Data()
        response.isEarly = true
        response.upgrade = .duplex(DuplexService { try await $0.respond(over: $1, with: answer) })
        return response
    }
}
