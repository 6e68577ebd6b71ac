import Dispatch
public import Foundation

/// A request in progress and its future value.
///
/// ```swift
/// let handle = provider.start(.user(7), as: User.self)
/// let user = try await handle.value
/// ```
/// The request runs even if no task awaits it, and continues when the handle is released. It has exactly one result:
/// every access to `value` gives the same.
public final class RequestHandle<Value: Sendable>: NetworkRequest {
    private let call: RunningCall<Value>
    private let reports: ProgressReports

    init(_ call: RunningCall<Value>, reports: ProgressReports) {
        self.call = call
        self.reports = reports
    }

    /// Starts a call. The handle reports its progress, and so does the closure in `options`, if any.
    ///
    /// - Parameter onUnclaimed: receives a value that the caller no longer gets, because the call was canceled.
    convenience init(
        starting options: CallOptions,
        on engine: RequestEngine,
        decoding: ResponseDecoding<Value>,
        onUnclaimed: (@Sendable (Value) -> Void)? = nil,
        request build: @escaping RequestEngine.Build
    ) {
        let reports = ProgressReports()
        var options = options
        options.progress = { [progress = options.progress] report in
            reports.report(report)
            progress?(report)
        }
        let call = engine.start(
            options,
            decoding: decoding,
            request: build,
            onEnd: { reports.finish() },
            onUnclaimed: onUnclaimed
        )
        self.init(call, reports: reports)
    }

    /// The decoded value. Canceling the task that awaits it cancels the request.
    public var value: Value {
        get async throws(NetworkError) { try await call.outcome.get() }
    }

    /// The value or the error. Canceling the task that awaits it cancels the request.
    public var result: Result<Value, NetworkError> {
        get async { await call.outcome }
    }

    /// The progress of the transfer, beginning with the latest report. The stream ends with the request.
    public var progress: AsyncStream<TransferProgress> { reports.stream }

    public var isCancelled: Bool { call.isCancelled }

    public func cancel() { call.cancel() }
}

extension RequestHandle {
    /// Creates a `Progress` that can be observed, added to another one, and canceled.
    ///
    /// It counts the bytes of the direction that was reported last. The total is -1 until it is known.
    public func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.kind = .file
        progress.isCancellable = true
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        reports.listen {
            progress.totalUnitCount = $0.total ?? -1
            progress.completedUnitCount = $0.completed
        }
        return progress
    }

    /// Delivers the result on the main actor, once. `cancel()` has an effect until then.
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

    /// Delivers the result on a queue, once. `cancel()` has an effect until then.
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

    /// Delivers the result on an arbitrary thread, once. `cancel()` has an effect until then.
    func deliver(to completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void) -> any NetworkRequest {
        call.awaitDelivery()
        Task {
            let outcome = await call.outcome
            completion(call.delivered() ?? outcome)
        }
        return self
    }
}
