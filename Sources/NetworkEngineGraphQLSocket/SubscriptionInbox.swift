import Foundation
import NetworkEngine
import NetworkEngineWebSocket

/// The responses to one subscription that wait for its reader.
final class SubscriptionInbox: Sendable {
    private struct State {
        var bodies = WebSocketQueue<Data>()
        /// Set at the end of the subscription, which the reader sees after the responses.
        var end: Result<Void, NetworkError>?
        var change = OneShot<Void>()

        mutating func takeChange() -> OneShot<Void> {
            defer { change = OneShot() }
            return change
        }
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: the number of bytes that may wait. One response may always wait.
    init(limit: Int) { self.limit = limit }

    /// Adds a response. Returns whether there was space for it.
    func add(_ body: Data) -> Bool {
        let (hasRoom, change) = state.withLock { state -> (Bool, OneShot<Void>?) in
            guard state.end == nil else { return (true, nil) }
            // An empty body takes space, too.
            let size = body.count + 64
            guard state.bodies.isEmpty || size <= limit - state.bodies.size else { return (false, nil) }
            state.bodies.append(body, size: size)
            return (true, state.takeChange())
        }
        change?.settle(())
        return hasRoom
    }

    /// Ends the subscription. Only the first end counts.
    func end(_ result: Result<Void, NetworkError>) {
        let change = state.withLock { state -> OneShot<Void>? in
            guard state.end == nil else { return nil }
            state.end = result
            return state.takeChange()
        }
        change?.settle(())
    }

    /// Returns the next response; `nil` at the end.
    func next() async throws(NetworkError) -> Data? {
        while true {
            if Task.isCancelled { throw NetworkError(kind: .cancelled) }
            let (body, end, change) = state.withLock { ($0.bodies.popFirst(), $0.end, $0.change) }
            if let body { return body }
            if let end {
                try end.get()
                return nil
            }
            do throws(CancellationError) { try await change.wait() } catch { throw NetworkError(kind: .cancelled) }
        }
    }
}
