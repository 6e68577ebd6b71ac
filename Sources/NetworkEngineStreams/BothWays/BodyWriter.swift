public import Foundation
public import NetworkEngine

extension BodyStream {
    /// Creates a body together with its writer.
    ///
    /// ```swift
    /// let (body, writer) = BodyStream.makeStream()
    /// let answers = try await client.stream(.post("/chat"), sending: body)
    /// try await writer.write(Data("hello\n".utf8))
    /// writer.finish()
    /// for try await piece in answers { show(piece) }
    /// ```
    /// The body can be sent only once, and its length is unknown.
    ///
    /// - Parameter limit: the number of bytes that may wait for the transport. One piece may always wait.
    public static func makeStream(limit: Int = 64 << 10) -> (stream: BodyStream, writer: BodyWriter) {
        let (stream, pipe) = makePipe(limit: limit)
        return (stream, BodyWriter(pipe, mayHaveTrailers: false))
    }

    /// Creates a body with trailer fields, together with its writer, which sends them with `finish(trailers:)`.
    ///
    /// ```swift
    /// let (body, writer) = BodyStream.makeStream(trailers: ["X-Checksum"])
    /// ```
    /// Only a `CurlTransport` can send such a body. It can be sent only once, and its length is unknown.
    ///
    /// - Parameters:
    ///   - limit: the number of bytes that may wait for the transport. One piece may always wait.
    ///   - trailers: the names of the trailer fields.
    public static func makeStream(
        limit: Int = 64 << 10, trailers: [String]
    ) -> (stream: BodyStream, writer: BodyWriter) {
        let (stream, pipe) = makePipe(limit: limit)
        let fields = BodyStream.Trailers(names: trailers) { pipe.trailers }
        return (stream.sending(fields), BodyWriter(pipe, mayHaveTrailers: true))
    }

    private static func makePipe(limit: Int) -> (BodyStream, BodyPipe) {
        let pipe = BodyPipe(limit: limit)
        let unclaimed = Locked<BodyPipe.Reader?>(BodyPipe.Reader(pipe))
        let stream = BodyStream(length: nil, isReplayable: false) {
            if let reader = unclaimed.withLock({ $0.take() }) { return BodyStream.Reading(reader.next) }
            return BodyStream.Reading {
                throw NetworkError(kind: .invalidRequest, reason: "the body of a writer can be sent once")
            }
        }
        return (stream, pipe)
    }
}

/// Writes a request body while it is sent.
///
/// Create one with `BodyStream.makeStream(limit:)`. Releasing the writer before `finish()` fails the request, so a
/// truncated body never looks complete.
public final class BodyWriter: Sendable {
    private let pipe: BodyPipe
    private let mayHaveTrailers: Bool
    /// Whether a piece waits for buffer space.
    var isWaiting: Bool { pipe.isWriterWaiting }

    fileprivate init(_ pipe: BodyPipe, mayHaveTrailers: Bool) {
        (self.pipe, self.mayHaveTrailers) = (pipe, mayHaveTrailers)
    }

    deinit { fail(NetworkError(.requestBody, reason: "the writer was released before finish()")) }

    /// Adds a piece, and returns when there is space for it. A slow server slows the writer down.
    ///
    /// Throws `.transport` if the body is no longer sent; the call's error contains the reason. Throws
    /// `.invalidRequest` after `finish()`, and `.cancelled` if the task is canceled.
    @concurrent
    public func write(_ piece: Data) async throws(NetworkError) { try await pipe.write(piece) }

    /// Ends the body after the waiting pieces.
    public func finish() { pipe.end(.success(())) }

    /// Ends the body after the waiting pieces, and sends trailer fields.
    ///
    /// Their names must be among those passed to `BodyStream.makeStream(limit:trailers:)`. Otherwise the request fails.
    public func finish(trailers: HTTPHeaders) {
        if !mayHaveTrailers, !trailers.isEmpty {
            let reason = "makeStream(limit:trailers:) needs the names of the fields after the body"
            return fail(NetworkError(kind: .invalidRequest, reason: reason))
        }
        pipe.end(.success(()), trailers: trailers)
    }

    /// Ends the body with an error, which fails the request.
    public func fail(_ error: any Error) { pipe.end(.failure(error)) }
}

/// The pieces between a writer and the single reader of its body.
private final class BodyPipe: Sendable {
    private typealias Signal = OneShot<Void>

    private struct State {
        /// The pieces from `first` on are waiting.
        var pieces: [Data] = []
        var first = 0
        /// The number of waiting bytes.
        var size = 0
        var end: Result<Void, any Error>?
        var trailers = HTTPHeaders()
        var isAbandoned = false
        var arrival = Signal()
        var room = Signal()

        enum Next {
            case arrival(OneShot<Void>)
            case room(OneShot<Void>)
        }

        mutating func takePiece() -> Data? {
            guard first < pieces.count else { return nil }
            let piece = pieces[first]
            pieces[first] = Data()
            first += 1
            size -= piece.count
            // Each element is moved at most as often as it is added.
            if first > 64, first > pieces.count / 2 {
                pieces.removeFirst(first)
                first = 0
            }
            return piece
        }

        mutating func takeArrival() -> OneShot<Void> {
            defer { arrival = OneShot() }
            return arrival
        }

        mutating func takeRoom() -> OneShot<Void> {
            defer { room = OneShot() }
            return room
        }

        mutating func add(_ piece: Data, limit: Int) throws(NetworkError) -> Next {
            if end != nil { throw NetworkError(kind: .invalidRequest, reason: "the body has ended") }
            if isAbandoned { throw NetworkError(kind: .transport, reason: "the body is not sent any more") }
            guard first == pieces.count || piece.count <= max(0, limit) - size else { return .room(room) }
            pieces.append(piece)
            size += piece.count
            return .arrival(takeArrival())
        }
    }

    private let limit: Int
    private let state = Locked(State())
    var isWriterWaiting: Bool { state.withLock { $0.room.waiterCount > 0 } }

    init(limit: Int) { self.limit = limit }

    func write(_ piece: Data) async throws(NetworkError) {
        if piece.isEmpty { return }
        while true {
            if Task.isCancelled { throw NetworkError(kind: .cancelled) }
            let signal = try state.withLock { state throws(NetworkError) in try state.add(piece, limit: limit) }
            switch signal {
            case .arrival(let arrival): return _ = arrival.settle(())
            case .room(let room):
                do throws(CancellationError) { try await room.wait() } catch { throw NetworkError(kind: .cancelled) }
            }
        }
    }

    /// The trailer fields of a body that has ended.
    var trailers: HTTPHeaders { state.withLock { $0.trailers } }

    func end(_ result: Result<Void, any Error>, trailers: HTTPHeaders = [:]) {
        let arrival = state.withLock { state -> Signal? in
            guard state.end == nil else { return nil }
            (state.end, state.trailers) = (result, trailers)
            return state.takeArrival()
        }
        arrival?.settle(())
    }

    /// The single reader. Releasing it informs the writer that the body is no longer sent.
    final class Reader: Sendable {
        private let pipe: BodyPipe

        init(_ pipe: BodyPipe) { self.pipe = pipe }

        deinit { pipe.abandon() }

        func next() async throws -> Data? { try await pipe.next() }
    }

    private func next() async throws -> Data? {
        while true {
            let (piece, room, end, arrival) = state.withLock { state in
                let piece = state.takePiece()
                return (piece, piece == nil ? nil : state.takeRoom(), state.end, state.arrival)
            }
            room?.settle(())
            if let piece { return piece }
            if let end {
                try end.get()
                return nil
            }
            try await arrival.wait()
        }
    }

    private func abandon() {
        let room = state.withLock { state in
            state.isAbandoned = true
            (state.pieces, state.first, state.size) = ([], 0, 0)
            return state.takeRoom()
        }
        room.settle(())
    }
}
