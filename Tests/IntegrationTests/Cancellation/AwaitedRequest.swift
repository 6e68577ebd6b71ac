import Testing

@testable import NetworkEngine

/// A task that awaits a call, as a request: canceling the request cancels the task.
final class AwaitedRequest: NetworkRequest {
    private let task: Task<Void, Never>
    private let wasCancelled: Locked<Bool>

    init(
        _ body: @escaping @Sendable () async throws -> StormUser,
        completion: @escaping @Sendable (Result<StormUser, NetworkError>) -> Void
    ) {
        let wasCancelled = Locked(false)
        self.wasCancelled = wasCancelled
        task = Task {
            do {
                completion(.success(try await body()))
            } catch let error as NetworkError {
                wasCancelled.withLock { $0 = error.kind == .cancelled }
                completion(.failure(error))
            } catch {
                Issue.record(error, "only a NetworkError may be thrown")
            }
        }
    }

    /// Whether the cancellation had an effect.
    var isCancelled: Bool { wasCancelled.withLock { $0 } }

    func cancel() { task.cancel() }
}
