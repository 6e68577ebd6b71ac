public import Foundation
public import NetworkEngine

/// The server's end of an exchange that streams in both directions, on a loopback server or a mock.
///
/// ```swift
/// server.enqueue(
///     .duplex { exchange in
///         for try await piece in exchange.received { try await exchange.send(piece) }
///     })
/// ```
/// Nothing is received until it is read, so a test can make the client wait.
public final class LoopbackDuplex: Sendable {
    /// The request head.
    public let request: LoopbackRequest
    private let bodies: any DuplexBodies
    private let isFinished = Locked(false)
    /// Whether a piece waits for buffer space.
    var isSenderWaiting: Bool { bodies.isSenderWaiting }

    init(_ request: LoopbackRequest, _ bodies: any DuplexBodies) { (self.request, self.bodies) = (request, bodies) }

    /// The pieces of the request body, as they arrive.
    ///
    /// The sequence ends with the body. It throws if the connection is lost first, or if the body is malformed. Only
    /// one task at a time may read.
    public var received: Received { Received(exchange: self) }

    /// Sends a piece of the response body, and returns when the system has accepted it.
    ///
    /// Throws `.invalidRequest` after `finish(trailers:)`.
    public func send(_ piece: Data) async throws(NetworkError) {
        if isFinished.withLock({ $0 }) {
            throw NetworkError(kind: .invalidRequest, reason: "the body of the response has ended")
        }
        if !piece.isEmpty { try await bodies.send(piece) }
    }

    /// Ends the response body. The request body can still be read.
    public func finish(trailers: HTTPHeaders = [:]) async throws(NetworkError) {
        let isFirst = isFinished.withLock { isFinished in
            defer { isFinished = true }
            return !isFinished
        }
        if isFirst { try await bodies.finish(trailers: trailers) }
    }

    /// Sends an informational response before the response of `receiving(_:)`. Has no effect over a mock.
    public func send(_ interim: LoopbackResponse.Interim) async throws(NetworkError) { try await bodies.send(interim) }

    /// The pieces of a request body.
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

/// A server's closure that reads the request body and usually writes the response body.
struct DuplexService: Sendable {
    let work: @Sendable @concurrent (LoopbackDuplex, LoopbackChannel) async throws -> Void

    /// Runs the closure, then closes the connection, even after an error.
    func run(over channel: LoopbackChannel, to request: LoopbackRequest, _ parser: RequestParser?) async {
        let exchange = LoopbackDuplex(request, ConnectionBodies(request, channel, parser))
        do { try await work(exchange, channel) } catch {}
        channel.close()
    }
}

extension LoopbackDuplex {
    /// Sends the complete response that a closure returns after it receives the body.
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
    /// Responds while the request body arrives, and runs a closure with both bodies.
    ///
    /// The response head is sent as soon as the request head is read, if the response is enqueued or returned by the
    /// server's `early`. When the closure returns, the response body ends and the connection closes. If the closure
    /// throws, the connection closes inside the body. The closure's task is canceled when `closeConnections(_:)` closes
    /// the connection, and when the server stops.
    public static func duplex(
        status: Int = 200,
        headers: HTTPHeaders = [:],
        _ body: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> Void
    ) -> Self {
        var response = Self(status: status, headers: headers)
        response.headers["Transfer-Encoding"] = "chunked"
        // Does not announce that the connection closes after the response.
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

    /// Responds after a closure has received the request body piece by piece.
    ///
    /// ```swift
    /// .receiving { exchange in
    ///     var count = 0
    ///     for try await piece in exchange.received { count += piece.count }
    ///     return .text("\(count)")
    /// }
    /// ```
    /// Enqueue the response, or return it from the server's `early`. Of its incidents, only waits and those that close
    /// the connection before the response are performed. The connection closes after the response. If the closure
    /// throws, it closes without one.
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
