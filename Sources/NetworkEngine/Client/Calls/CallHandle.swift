import Dispatch
public import Foundation

/// A call in progress and its future value.
///
/// ```swift
/// let handle = provider.start(.user(7), as: User.self)
/// let user = try await handle.value
/// ```
/// The call runs even if no task awaits it, and continues when the handle is released. It has exactly one result:
/// every access to `value` gives the same.
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

    /// Cancels the call. The partial file of a download is removed, unless the destination or the resume data keeps it.
    public func cancel() { source.cancel() }

    /// The call behind a handle.
    struct Source: Sendable {
        let outcome: @Sendable () async -> Result<Value, Failure>
        let awaitDelivery: @Sendable () -> Void
        let delivered: @Sendable () -> Result<Value, Failure>?
        let isCancelled: @Sendable () -> Bool
        let cancel: @Sendable () -> Void
    }

    /// Returns a handle of the same call with other errors.
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
    /// The source of a call with a mapped outcome.
    ///
    /// - Parameter files: the files of a download, which are final before a failure is delivered.
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
    /// Creates a `Progress` that can be observed, added to another one, and canceled; that of a download also paused.
    ///
    /// It counts the bytes of the direction that was reported last. The total is -1 until it is known.
    public func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.kind = .file
        progress.isCancellable = true
        // The call continues without its handle, and can still be canceled.
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

    /// Delivers the result on the main actor, once. `cancel()` has an effect until then.
    func deliver(
        toMain completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        deliver(by: { result in await MainActor.run { completion(result()) } })
    }

    /// Delivers the result on a queue, once. `cancel()` has an effect until then.
    func deliver(
        on queue: DispatchQueue,
        to completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        deliver(by: { result in queue.async { completion(result()) } })
    }

    /// Delivers the result on an arbitrary thread, once. `cancel()` has an effect until then.
    func deliver(to completion: @escaping @Sendable (Result<Value, Failure>) -> Void) -> any NetworkRequest {
        deliver(by: { result in completion(result()) })
    }

    /// The result is taken where it is delivered: a cancellation before that replaces it.
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
/// A paused or interrupted download resumes at its last byte if the server named the file with a strong validator and
/// the file is unchanged. Otherwise the download restarts from the beginning. The handle of another call does not
/// pause.
extension CallHandle where Value == URL {
    /// Whether the download is paused: `pause()` was called, and `resume()` was not called since then.
    public var isPaused: Bool { files?.gate.isPaused ?? false }

    /// Whether the download began again although it had bytes, because they could not be continued.
    ///
    /// This is the case for resume data of another address, for bytes that are missing, and for a resource that has
    /// changed on the server.
    public var hasRestarted: Bool { files?.hasRestarted ?? false }

    /// Closes the connection and keeps the partial file until `resume()`.
    ///
    /// A pause does not count as an attempt and does not use an attempt's time. A deadline for the whole call
    /// continues. A request that must not be sent twice, such as a POST without an idempotency key, runs to its end;
    /// the file that it redirects to is paused.
    public func pause() { files?.gate.pause() }

    /// Continues a paused download with a new request for the remaining bytes.
    public func resume() { files?.gate.resume() }

    /// Cancels the download and returns the data to resume it later, in this process or another.
    ///
    /// Returns `nil` if the download cannot be resumed: no byte has arrived, the file is complete, or the server sent
    /// no strong validator.
    public func cancelProducingResumeData() async -> ResumeData? {
        // An earlier `cancel()` has discarded the partial file.
        if !isCancelled { files?.keepPartial() }
        cancel()
        return await files?.resumeData()
    }
}
