import Dispatch
public import Foundation

/// A call in progress and its future value.
///
/// ```swift
/// let handle = provider.start(.user(7), as: User.self)
/// let user = try await handle.value
/// ```
/// The call runs even if no task awaits it, and continues after the handle is released. It has exactly one result,
/// which every access to `value` returns.
public final class CallHandle<Value: Sendable, Failure: Error>: NetworkRequest {
    private let source: Source
    private let reports: ProgressReports
    /// The files of a download.
    fileprivate let files: DownloadSession?

    init(_ source: Source, reports: ProgressReports, files: DownloadSession? = nil) {
        (self.source, self.reports, self.files) = (source, reports, files)
    }

    /// The value. Canceling the task that awaits it cancels the call.
    public var value: Value {
        get async throws(Failure) { try await source.outcome().get() }
    }

    /// The value or the error. Canceling the task that awaits it cancels the call.
    public var result: Result<Value, Failure> {
        get async { await source.outcome() }
    }

    /// The progress of the transfer, beginning with the latest report. The stream ends with the call.
    public var progress: AsyncStream<TransferProgress> { reports.stream }

    public var isCancelled: Bool { source.isCancelled() }

    /// Cancels the call. A download's partial file is removed, unless the destination or the resume data keeps it.
    public func cancel() { source.cancel() }

    /// The call behind a handle.
    struct Source: Sendable {
        let outcome: @Sendable () async -> Result<Value, Failure>
        let awaitDelivery: @Sendable () -> Void
        let delivered: @Sendable () -> Result<Value, Failure>?
        let isCancelled: @Sendable () -> Bool
        let cancel: @Sendable () -> Void
    }

    /// Returns a handle to the same call that throws mapped errors.
    func mapError<Other: Error>(_ map: @escaping @Sendable (Failure) -> Other) -> CallHandle<Value, Other> {
        let mapped = CallHandle<Value, Other>.Source(
            outcome: { [source] in await source.outcome().mapError(map) },
            awaitDelivery: source.awaitDelivery,
            delivered: { [source] in source.delivered()?.mapError(map) },
            isCancelled: source.isCancelled,
            cancel: source.cancel
        )
        return CallHandle<Value, Other>(mapped, reports: reports, files: files)
    }
}

/// The handle of a call without mapped errors.
public typealias RequestHandle<Value: Sendable> = CallHandle<Value, NetworkError>

/// The handle of a download without mapped errors. It can be paused.
public typealias DownloadHandle = CallHandle<URL, NetworkError>

extension CallHandle.Source {
    /// Creates a source that maps the call's outcome.
    ///
    /// - Parameter files: the download's files, which are final before a failure is delivered.
    init<Inner: Sendable>(
        _ call: RunningCall<Inner>,
        using files: DownloadSession? = nil,
        _ map: @escaping @Sendable (RunningCall<Inner>.Outcome) -> Result<Value, Failure>
    ) {
        self.init(
            outcome: {
                let outcome = await call.outcome
                if case .failure = outcome { await files?.ended() }
                return map(outcome)
            },
            awaitDelivery: { call.awaitDelivery() },
            delivered: { call.delivered().map(map) },
            isCancelled: { call.isCancelled },
            cancel: { call.cancel() }
        )
    }
}

extension CallHandle {
    /// Creates a `Progress` that you can observe, cancel and add to a parent.
    ///
    /// A download's progress can also be paused and resumed. The units are bytes, in the direction that was reported
    /// last. The total is -1 until it is known.
    public func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.kind = .file
        progress.isCancellable = true
        // The call continues without its handle and can still be canceled.
        progress.cancellationHandler = source.cancel
        if let files {
            progress.isPausable = true
            progress.pausingHandler = { files.gate.pause() }
            progress.resumingHandler = { files.gate.resume() }
        }
        reports.listen {
            progress.totalUnitCount = $0.total ?? -1
            progress.completedUnitCount = $0.completed
        }
        return progress
    }

    /// Delivers the result on the main actor, once. Until then `cancel()` still takes effect.
    func deliver(
        toMain completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        deliver(by: { result in await MainActor.run { completion(result()) } })
    }

    /// Delivers the result on a queue, once. Until then `cancel()` still takes effect.
    func deliver(
        on queue: DispatchQueue,
        to completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        deliver(by: { result in queue.async { completion(result()) } })
    }

    /// Delivers the result on an arbitrary thread, once. Until then `cancel()` still takes effect.
    func deliver(to completion: @escaping @Sendable (Result<Value, Failure>) -> Void) -> any NetworkRequest {
        deliver(by: { result in completion(result()) })
    }

    /// The result is read at the moment of delivery, so a cancellation before that replaces it.
    private func deliver(
        by perform: @escaping @Sendable (_ result: @escaping @Sendable () -> Result<Value, Failure>) async -> Void
    ) -> any NetworkRequest {
        source.awaitDelivery()
        Task { [source] in
            let outcome = await source.outcome()
            await perform { source.delivered() ?? outcome }
        }
        return self
    }
}

/// The handle of a download.
///
/// ```swift
/// let handle = provider.startDownload(.report)
/// handle.pause()
/// handle.resume()
/// let file = try await handle.value
/// ```
/// A paused or interrupted download resumes at its last byte if the server sent a strong validator and the file is
/// unchanged. Otherwise it restarts from the beginning. If the call isn't a download, pausing has no effect.
extension CallHandle where Value == URL {
    /// Whether the download is paused: `pause()` was called, and `resume()` has not been called since.
    public var isPaused: Bool { files?.gate.isPaused ?? false }

    /// Whether the download restarted from the beginning because its partial data could not be resumed.
    ///
    /// This happens if the resume data belongs to another URL, if the partial data is missing, or if the resource has
    /// changed on the server.
    public var hasRestarted: Bool { files?.hasRestarted ?? false }

    /// Closes the connection and keeps the partial file until `resume()`.
    ///
    /// A pause does not count as an attempt and does not use up an attempt's time. The call's deadline keeps running. A
    /// request that must not be sent twice, such as a POST without an idempotency key, runs to completion; if it
    /// redirects to the file, that download is paused.
    public func pause() { files?.gate.pause() }

    /// Resumes a paused download with a new request for the remaining bytes.
    public func resume() { files?.gate.resume() }

    /// Cancels the download and returns data to resume it later, in this process or another.
    ///
    /// Returns `nil` if the download cannot be resumed: no bytes have arrived, the file is complete, or the server
    /// didn't send a strong validator.
    public func cancelProducingResumeData() async -> ResumeData? {
        // An earlier `cancel()` has discarded the partial file.
        if !isCancelled { files?.keepPartial() }
        cancel()
        return await files?.resumeData()
    }
}
