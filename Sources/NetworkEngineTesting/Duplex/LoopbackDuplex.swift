public import Foundation
public import NetworkEngine

/// The two bodies of an exchange that goes both ways, at the server's end.
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
    private let channel: LoopbackChannel
    private let state: Locked<State>

    private struct State {
        /// Reads the rest of the request; `nil` after its end.
        var parser: RequestParser?
        /// A body that was read before the answer.
        var read: Data?
        var isFinished = false
    }

    /// - Parameter parser: reads the rest of the request; `nil` if the whole request was read.
    init(_ request: LoopbackRequest, _ channel: LoopbackChannel, _ parser: RequestParser?) {
        (self.request, self.channel) = (request, channel)
        state = Locked(State(parser: parser, read: parser == nil ? request.body : nil))
    }

    /// The pieces of the request's body, as they arrive.
    ///
    /// The sequence ends with the body. It throws if the connection is lost before, or if the body is malformed. One
    /// task at a time may read.
    public var received: Received { Received(exchange: self) }

    /// Sends a piece of the response's body, and returns when the system has taken it.
    public func send(_ piece: Data) async throws(NetworkError) {
        if piece.isEmpty { return }
        let bytes = Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
        try await channel.send(bytes)
    }

    /// Ends the response's body. The request's body can still be read.
    public func finish(trailers: HTTPHeaders = [:]) async throws(NetworkError) {
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        guard isFirst else { return }
        let fields = trailers.map { "\($0.name): \($0.value)\r\n" }.joined()
        try await channel.send(Array("0\r\n\(fields)\r\n".utf8))
    }

    /// Sends an informational response before that of `receiving(_:)`.
    public func send(_ interim: LoopbackResponse.Interim) async throws(NetworkError) {
        try await channel.send(ResponseHead.interim(interim))
    }

    /// Sends the whole response of a closure that receives the body.
    fileprivate func respond(with answer: @Sendable (LoopbackDuplex) async throws -> LoopbackResponse) async throws {
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

    fileprivate func next() async throws -> Data? {
        if let read = state.withLock({ $0.read.take() }), !read.isEmpty { return read }
        while true {
            switch state.withLock({ $0.parser?.next() ?? ($0.parser == nil ? .end(trailers: [:]) : nil) }) {
            case .body(let bytes): return Data(bytes)
            case .end:
                state.withLock { $0.parser = nil }
                return nil
            case .failure(let failure): throw NetworkError(.requestBody, reason: failure.reason)
            case .head, nil: break
            }
            guard let bytes = try await channel.receive() else {
                throw NetworkError(.lostMidBody, reason: "the client ended the connection inside its body")
            }
            state.withLock { state in bytes.withUnsafeBytes { state.parser?.feed($0) } }
        }
    }

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
            public mutating func next() async throws -> Data? { try await exchange.next() }
        }
    }
}

/// The work of a server with the request's body of an exchange, and mostly with that of the response.
struct DuplexService: Sendable {
    let work: @Sendable @concurrent (LoopbackDuplex) async throws -> Void

    /// Runs the work, then ends the connection, also after an error.
    func run(over channel: LoopbackChannel, to request: LoopbackRequest, _ parser: RequestParser?) async {
        let exchange = LoopbackDuplex(request, channel, parser)
        do { try await work(exchange) } catch {}
        channel.close()
    }
}

extension LoopbackResponse {
    /// Answers while the body of the request arrives, and runs a closure with both bodies.
    ///
    /// The head is sent as soon as that of the request was read, if the response is enqueued or the server's `early` gives
    /// it. When the closure returns, the response's body ends,
    /// then the connection. If the closure throws, the connection ends inside the body. The task of the closure is
    /// canceled when `closeConnections(_:)` ends the connection, and when the server stops.
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
            DuplexService { exchange in
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
    /// The response is enqueued, or given by the server's `early`. Of its incidents, waits and those that end the connection
    /// before the response are performed. The connection ends after the response. If the closure throws, it ends without
    /// one.
    public static func receiving(
        _ answer: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> LoopbackResponse
    ) -> Self {
        var response = Self()
        // Nothing is sent before the closure returns.
        response.rawHead = Data()
        response.isEarly = true
        response.upgrade = .duplex(DuplexService { try await $0.respond(with: answer) })
        return response
    }
}
