import Foundation
import NetworkEngine

/// The two bodies of an exchange within the process, with a transport's back-pressure.
final class MemoryBodies: DuplexBodies {
    /// The response body, for the client.
    let answer: StreamBuffer
    private let request: HTTPRequest
    private let state: Locked<State>

    private struct State {
        /// The request body; `nil` once it is no longer read.
        var question: BodyStream.Reading?
        /// The piece of the request body that the closure waits for.
        var reading: Task<Data?, any Error>?
        /// Whether the client has read the whole response, or has abandoned it.
        var isLeft = false
        var room = OneShot<Void>()
    }

    /// - Parameter request: its body is in memory, or sent while the response is received.
    init(_ request: HTTPRequest) {
        self.request = request
        // The adapter for custom transports limits how long the reader waits.
        answer = StreamBuffer(fileLimit: 0, context: TransportContext())
        let body = request.body.data.map { BodyStream(segments: [.init(.data($0), length: Int64($0.count))]) }
        if case .stream(let stream) = request.body {
            state = Locked(State(question: stream.reading()))
        } else {
            state = Locked(State(question: body?.reading()))
        }
    }

    var isSenderWaiting: Bool { state.withLock { $0.room.waiterCount > 0 } }

    func receive() async throws -> Data? {
        let (question, isLeft) = state.withLock { ($0.question, $0.isLeft) }
        if isLeft { throw NetworkError.clientEnded }
        guard let question else { return nil }
        let piece = Task { try await question.next() }
        let isTooLate = state.withLock { state in
            state.reading = piece
            return state.isLeft
        }
        if isTooLate { piece.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await piece.value
            } onCancel: {
                piece.cancel()
            }
        } catch {
            try Task.checkCancellation()
            if !state.withLock({ $0.isLeft }) { answer.finish(.failure(unreadable(error))) }
            throw NetworkError.clientEnded
        }
    }

    func send(_ piece: Data) async throws(NetworkError) {
        var rest = piece[...]
        while !rest.isEmpty {
            let (room, isLeft) = state.withLock { ($0.room, $0.isLeft) }
            if isLeft { throw NetworkError.clientEnded }
            let part = rest.prefix(Self.longestPart)
            switch write(Data(part)) {
            case .room: rest = rest.dropFirst(part.count)
            case .wait:
                rest = rest.dropFirst(part.count)
                fallthrough
            case .full:
                do throws(CancellationError) { try await room.wait() } catch { throw NetworkError(kind: .cancelled) }
            }
        }
    }

    func finish(trailers: HTTPHeaders) async throws(NetworkError) {
        if !trailers.isEmpty { answer.trailers.withLock { $0 = trailers } }
        answer.finish(.success(()))
    }

    /// A client in the same process doesn't see it.
    func send(_ interim: LoopbackResponse.Interim) async throws(NetworkError) {}

    /// Ends the response inside its body, unless it has ended.
    func lose(_ cause: any Error) {
        let reason = "the closure of the mock has thrown an error"
        answer.finish(.failure(NetworkError(.lostMidBody, reason: reason, request: request, underlying: cause)))
    }

    /// The client has read bytes, so more can be sent.
    func hasRoom() {
        let room = state.withLock { state in
            defer { state.room = OneShot() }
            return state.room
        }
        room.settle(())
    }

    /// The client has read the whole response, or has abandoned it: the rest of the body is not sent.
    ///
    /// - Parameter service: the task to cancel unless the client had already left.
    func clientLeft(canceling service: Task<Void, Never>? = nil) {
        let (isNew, question, reading) = state.withLock { state in
            defer { state.isLeft = true }
            return (!state.isLeft, state.question.take(), state.reading.take())
        }
        if isNew { service?.cancel() }
        // Released outside the lock, because this notifies the body's writer.
        withExtendedLifetime(question) {}
        reading?.cancel()
        hasRoom()
    }

    private func write(_ part: Data) -> StreamBuffer.Answer {
        // Only a file can fail, and the buffer has none.
        (try? answer.write(part)) ?? .full
    }

    private func unreadable(_ cause: any Error) -> NetworkError {
        if let error = cause as? NetworkError { return error.completed(request: request) }
        return NetworkError(
            .requestBody, reason: "the request's body could not be read", request: request, underlying: cause)
    }

    /// Once the buffer has space, it always has room for one part of this size.
    private static let longestPart = 64 << 10
}
