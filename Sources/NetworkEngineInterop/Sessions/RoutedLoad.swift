import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session's request: the call that loads it, and the events not yet passed to the session.
///
/// Before the call reads more, it waits until the session has taken the earlier events. After the end, and after a
/// stop, nothing is taken.
final class RoutedLoad: Sendable {
    enum Event: Sendable {
        case head(URLResponse)
        case piece(Data)
        /// A complete response.
        case whole(URLResponse, Data)
        /// The end after the last piece, or a failure.
        case end(URLError?)

        fileprivate var isLast: Bool {
            switch self {
            case .head, .piece: false
            case .whole, .end: true
            }
        }
    }

    private struct State {
        var event: Event?
        var isOver = false
        var call: Task<Void, Never>?
        /// The call, while its event is waiting.
        var waiter: CheckedContinuation<Void, Never>?

        mutating func finish() -> (CheckedContinuation<Void, Never>?, Task<Void, Never>?) {
            (isOver, event) = (true, nil)
            return (waiter.take(), call.take())
        }
    }

    private let state = Locked(State())
    /// Makes the session take the event soon.
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Starts the call.
    func begin(_ request: URLRequest, _ body: RequestBody?, through route: Route, inPieces: Bool) {
        let call = Task {
            do throws(URLError) {
                let guest = try await GuestRequest(request, body: body)
                if inPieces {
                    try await pass(route.client.stream(for: guest), url: guest.url)
                } else {
                    let response = try await route.client.response(to: guest)
                    await tell(.whole(response.urlResponse, response.data))
                }
            } catch {
                await tell(.end(error))
            }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.call = call }
            return state.isOver
        }
        if isOver { call.cancel() }
    }

    /// Ends the load before the call.
    func end(_ error: URLError) { state.withLock { $0.event = .end(error) } }

    /// Returns the event that waits for the session.
    func take() -> Event? {
        let (event, waiter) = state.withLock { state -> (Event?, CheckedContinuation<Void, Never>?) in
            guard let event = state.event.take() else { return (nil, nil) }
            if event.isLast { state.call = nil }
            state.isOver = state.isOver || event.isLast
            return (event, state.waiter.take())
        }
        waiter?.resume()
        return event
    }

    /// Cancels the call. Foundation has already notified the session of the end.
    func stop() {
        let (waiter, call) = state.withLock { $0.finish() }
        waiter?.resume()
        call?.cancel()
    }

    private func pass(_ stream: ResponseStream, url: URL) async throws(URLError) {
        await tell(.head(stream.response.urlResponse))
        do throws(NetworkError) {
            var pieces = stream.makeAsyncIterator()
            while let piece = try await pieces.next() { await tell(.piece(piece)) }
        } catch {
            throw URLError(error, at: url)
        }
        await tell(.end(nil))
    }

    /// Passes on an event, and waits until the session has taken it.
    private func tell(_ event: Event) async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.isOver { (state.event, state.waiter) = (event, waiter) }
                return state.isOver
            }
            if isOver { waiter.resume() } else { wake() }
        }
    }
}
