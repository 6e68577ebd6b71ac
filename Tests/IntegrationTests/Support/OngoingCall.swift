import NetworkEngine
import Testing

/// A call in progress, in any style.
struct OngoingCall<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, NetworkError>

    let cancel: @Sendable () -> Void
    private let end: @Sendable () async -> Outcome?

    /// The outcome of the call; `nil` only when the waiting task is cancelled.
    var outcome: Outcome? { get async { await end() } }

    var error: NetworkError? {
        get async { if case .failure(let error)? = await end() { error } else { nil } }
    }

    /// A call that a task awaits, and that is cancelled with it.
    static func awaiting(_ body: @escaping @Sendable () async throws -> Value) -> Self {
        let task = Task {
            do {
                return Outcome.success(try await body())
            } catch let error as NetworkError {
                return .failure(error)
            } catch {
                Issue.record(error, "only a NetworkError may be thrown")
                return .failure(NetworkError(kind: .unsupported))
            }
        }
        return Self(cancel: { task.cancel() }, end: { await task.value })
    }

    /// A call with a callback.
    static func calling(
        _ start: (_ completion: @escaping @Sendable (Outcome) -> Void) -> any NetworkRequest
    ) -> Self {
        let delivery = Delivery<Outcome>()
        let request = start { delivery.add($0) }
        return Self(cancel: { request.cancel() }, end: { await delivery.first() })
    }

    static func running(_ handle: RequestHandle<Value>) -> Self {
        Self(cancel: { handle.cancel() }, end: { await handle.result })
    }
}
