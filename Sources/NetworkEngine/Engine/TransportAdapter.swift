import Foundation

/// Runs a custom transport in a separate task.
///
/// The task is abandoned at the timeout, the deadline or a cancellation, even if the transport ignores them.
package struct TransportAdapter: TransportDriver {
    private let transport: any Transport
    private let timers: TimerQueue

    package init(_ transport: any Transport, timers: TimerQueue = TimerQueue(timebase: .reading(ContinuousClock()))) {
        self.transport = transport
        self.timers = timers
    }

    package var identity: ObjectIdentifier? { transport.sharedIdentity }

    package func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let call = RunningCall<HTTPResponse>(timers: timers, onUnclaimed: { $0.discardFile() })
        context.onInterruption { call.finish(.failure(.cancelled(request))) }
        // The timeout starts here. A transport with a queue restarts it with `admitted()`.
        if !(transport is any SelfAdmittingTransport) { context.admitted() }
        let outcome = await call.run(until: nil) {
            RunningCall<HTTPResponse>.Working.starting { [transport] in
                do {
                    return call.finish(.success(try await transport.send(request, context: context)))
                } catch {
                    return call.finish(.failure(.transport(error, request: request)))
                }
            }
        }
        var response = try outcome.get()
        if case .stream(let stream) = response.body { response.body = .stream(limited(stream, by: context)) }
        return response
    }

    /// A stream with a reader that stops waiting at the timeout or the deadline, even if the transport does not.
    private func limited(_ stream: BodyStream, by context: TransportContext) -> BodyStream {
        BodyStream(length: stream.length, isReplayable: stream.isReplayable) { [timers] in
            let reading = LimitedReading(stream.reading(), context, timers)
            return BodyStream.Reading(reading.next)
        }
    }
}

/// Reads a custom transport's stream under the limits of its exchange.
private final class LimitedReading: Sendable {
    private let reading: BodyStream.Reading
    private let context: TransportContext
    private let timers: TimerQueue
    /// The piece that the reader is waiting for.
    private let current = Locked<RunningCall<Data?>?>(nil)

    init(_ reading: BodyStream.Reading, _ context: TransportContext, _ timers: TimerQueue) {
        self.reading = reading
        self.context = context
        self.timers = timers
        context.onInterruption { [weak self] in
            let call = self?.current.withLock { $0 }
            call?.finish(.failure(NetworkError(kind: .cancelled)))
        }
    }

    deinit { context.streamEnded() }

    func next() async throws -> Data? {
        if let error = context.interruption(during: .body) { throw error }
        let call = RunningCall<Data?>(timers: timers)
        current.withLock { $0 = call }
        context.readerBeganWaiting()
        defer { context.readerEndedWaiting() }
        let outcome = await call.run(until: nil) {
            RunningCall<Data?>.Working.starting { [reading] in
                do {
                    return call.finish(.success(try await reading.next()))
                } catch {
                    return call.finish(.failure(error as? NetworkError ?? .stream(error)))
                }
            }
        }
        if case .failure = outcome, let error = context.interruption(during: .body) { throw error }
        if Task.isCancelled { throw CancellationError() }
        return try outcome.get()
    }
}

extension NetworkError {
    /// The error for a custom transport's stream.
    fileprivate static func stream(_ error: any Error) -> NetworkError {
        if error is CancellationError { return NetworkError(kind: .cancelled) }
        return NetworkError(kind: .transport, reason: "the stream threw \(type(of: error))", underlying: error)
    }
}
