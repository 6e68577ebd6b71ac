import Foundation
public import NetworkEngine
public import NetworkEngineMocks

extension MockAnswer {
    /// Responds while the request body is sent, and runs a closure with both bodies.
    ///
    /// ```swift
    /// let mock = MockTransport(
    ///     .duplex { exchange in
    ///         for try await piece in exchange.received { try await exchange.send(piece) }
    ///     })
    /// ```
    /// The closure is the same as for `LoopbackResponse.duplex`, and the same rules apply within the process: each
    /// direction has back-pressure, the response body ends when the closure returns, and the response is lost inside
    /// its body if the closure throws. The closure's task is canceled when the caller is, and when the caller abandons
    /// the response.
    ///
    /// A call that loads its response into memory receives it when the response body has ended. Only one task at a time
    /// may send.
    public static func duplex(
        status: Int = 200,
        headers: HTTPHeaders = [:],
        _ body: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> Void
    ) -> MockAnswer {
        MockAnswer { request, context in
            let bodies = MemoryBodies(request)
            let service = Task {
                let exchange = LoopbackDuplex(LoopbackRequest(request), bodies)
                do {
                    try await body(exchange)
                    try await exchange.finish()
                } catch {
                    bodies.lose(error)
                }
                // The rest of the request body is not read.
                bodies.clientLeft()
            }
            let stream = bodies.stream(servedBy: service)
            var response = HTTPResponse(statusCode: status, headers: headers, body: .stream(stream), request: request)
            response.takeTrailers(from: bodies.answer.trailers)
            if context.streamsBody, 200..<300 ~= status { return response }
            context.admitted()
            return try await response.inMemory(within: context)
        }
    }
}

extension MemoryBodies {
    /// The response body. Releasing it cancels the service.
    fileprivate func stream(servedBy service: Task<Void, Never>) -> BodyStream {
        answer.connect(StreamBuffer.Source(onRoom: { self.hasRoom() }, onAbandoned: {}))
        let pieces = answer.stream(length: nil)
        // The buffer releases its source with the last byte, which the client may never read.
        let unclaimed = Locked<Departure?>(Departure { self.clientLeft(canceling: service) })
        return BodyStream(length: nil, isReplayable: false) {
            let (reading, departure) = (pieces.reading(), unclaimed.withLock { $0.take() })
            return BodyStream.Reading {
                defer { withExtendedLifetime(departure) {} }
                do {
                    let piece = try await reading.next()
                    if piece == nil { self.clientLeft() }
                    return piece
                } catch {
                    self.clientLeft(canceling: service)
                    throw error
                }
            }
        }
    }
}

/// Runs a closure when the last reader of a body is released.
private final class Departure: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    deinit { run() }
}

extension HTTPResponse {
    /// The response once its body has arrived.
    fileprivate func inMemory(within context: TransportContext) async throws -> HTTPResponse {
        guard case .stream(let stream) = body else { return self }
        var bytes = Data()
        do {
            for try await piece in stream {
                bytes += piece
                context.reportActivity()
                // No more is delivered. Breaking out of the loop cancels the service.
                if bytes.count > context.limits.bodyInMemory { break }
            }
        } catch let error as NetworkError {
            throw error.completed(response: withoutStream)
        }
        var response = self
        response.body = try context.deliver(bytes, of: request)
        return response
    }
}
