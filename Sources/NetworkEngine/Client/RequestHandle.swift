import Dispatch
public import Foundation

/// A request on its way, and the value it will bring.
///
/// ```swift
/// let handle = provider.start(.user(7), as: User.self)
/// let user = try await handle.value
/// ```
/// The request runs whether or not anybody waits, and also when the handle is let go. The outcome is decided once: what
/// `value` gives never changes, however often and from wherever it is asked for.
public final class RequestHandle<Value: Sendable>: NetworkRequest {
    private let call: RunningCall<Value>
    private let reports: ProgressReports

    package init(_ call: RunningCall<Value>, reports: ProgressReports) {
        self.call = call
        self.reports = reports
    }

    /// The value, as soon as it is there.
    ///
    /// When the task that waits for it is cancelled, the request is too.
    public var value: Value {
        get async throws(NetworkError) { try await call.outcome.get() }
    }

    /// The value or the error, as soon as one is there; cancelling works as for `value`.
    public var result: Result<Value, NetworkError> {
        get async { await call.outcome }
    }

    /// Reports of how far the transfer has come, from the latest on; they end when the request does.
    public var progress: AsyncStream<TransferProgress> { reports.stream }

    public var isCancelled: Bool { call.isCancelled }

    public func cancel() { call.cancel() }
}

extension RequestHandle {
    /// The progress as Foundation has it, which can be shown, observed, made part of another, and cancelled.
    ///
    /// It counts the bytes of the direction that was reported last; its total is -1 while that is not known.
    public func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.kind = .file
        progress.isCancellable = true
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        reports.listen { $0.show(in: progress) }
        return progress
    }

    /// Delivers the outcome on the main actor, once. Cancelling there before it is delivered still has effect.
    func deliver(
        toMain completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        call.awaitDelivery()
        Task { @MainActor in
            let outcome = await call.outcome
            completion(call.delivered() ?? outcome)
        }
        return self
    }

    /// Delivers the outcome on a queue, once. Cancelling there before it is delivered still has effect.
    func deliver(
        on queue: DispatchQueue,
        to completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        call.awaitDelivery()
        Task {
            let outcome = await call.outcome
            queue.async { [call] in completion(call.delivered() ?? outcome) }
        }
        return self
    }

    /// Delivers the outcome on no particular queue, once.
    func deliver(to completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void) -> any NetworkRequest {
        call.awaitDelivery()
        Task {
            let outcome = await call.outcome
            completion(call.delivered() ?? outcome)
        }
        return self
    }
}
