import Foundation
import NetworkEngine

/// One call that uploads content in as many requests as it takes.
struct ResumableUpload<Calls: NetworkCalling>: Sendable {
    /// The end of an upload: without an answer if that was lost.
    struct Ending: Sendable {
        var address: URL?
        var answer: UndecodedAnswer?
    }

    let calls: Calls
    let request: Calls.Request
    let store: UploadStateStore
    let options: ResumableUploadOptions
    let progress: (@Sendable (TransferProgress) -> Void)?
    /// All steps belong to one session of the user, and to one call for observers.
    private let session = CallSession()
    private let known = Locked<Known?>(nil)

    /// What the first request of the call has told.
    private struct Known: Sendable {
        let content: UploadContent
        let identity: String
    }

    init(
        _ request: Calls.Request,
        on calls: Calls,
        resuming store: UploadStateStore,
        options: ResumableUploadOptions,
        progress: (@Sendable (TransferProgress) -> Void)?
    ) {
        (self.calls, self.request, self.store) = (calls, request, store)
        (self.options, self.progress) = (options, progress)
    }

    /// The call as observers see it, once its first request was made.
    var observed: ObservedCall? { session.current?.call }

    // MARK: The steps

    /// Uploads what the server does not have.
    @concurrent
    func run() async throws(NetworkError) -> Ending {
        var run = Run()
        run.state = try store.state()
        while true {
            let result: Result<Ending, NetworkError>?
            do throws(NetworkError) {
                result = try await advance(&run)
            } catch {
                result = nil
                try await recover(from: error, &run)
            }
            if let result { return try result.get() }
        }
    }

    /// Removes the upload from the server, and the state.
    @concurrent
    func discard() async throws(NetworkError) {
        guard let state = try store.state() else { return }
        do throws(NetworkError) {
            _ = try await send(.discard(state), attempt: 1)
        } catch {
            guard error.isAboutMissing else { throw error }
        }
        try store.keep(nil)
    }

    private struct Run {
        /// The upload, once it was begun.
        var state: UploadState?
        /// Whether the state's offset is that of the server. After a failure and in a new process the server is asked.
        var isLocated = false
        /// Whether an upload is continued, so that the server may have another offset.
        var isContinued = true
        var failures = 0
        var attempt = 1
        var pause: Duration?
        /// The status with which the server answered the last bytes.
        var refusal: NetworkError?
    }

    /// Does the next step. Returns the end after the last one, and throws where another step may help.
    private func advance(_ run: inout Run) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        guard var state = run.state else { return try await begin(&run) }
        if !run.isLocated {
            let answer = try await send(.locate(state), attempt: run.attempt)
            if known.withLock({ $0 == nil }) { return .success(Ending(answer: answer)) }
            let place = try place(in: answer.response, of: state)
            if place.offset > state.offset { run.failures = 0 }
            let isComplete = place.isComplete ?? (state.dialect == .tus && place.offset == state.length)
            if isComplete, place.offset == state.length {
                let ending = try finish(state, nil)
                return run.refusal.map { .failure($0) } ?? .success(ending)
            }
            state.offset = place.offset
            try store.keep(state)
            (run.state, run.isLocated) = (state, true)
        }
        let most = min(options.pieceSize ?? .max, state.pieceLimit ?? .max)
        let count = min(max(1, most), state.length - state.offset)
        let isLast = state.offset + count == state.length
        let step = UploadStep.append(state, count: count, isLast: isLast, asksFirst: run.isContinued)
        let answer: UndecodedAnswer
        do throws(NetworkError) {
            answer = try await send(step, attempt: run.attempt)
        } catch {
            // The answer to the last bytes is that of the call. If the server has them all, it is not asked again.
            run.refusal = isLast && error.kind == .status ? error : nil
            throw error
        }
        run.isContinued = false
        let place = state.dialect.place(in: answer.response.headers)
        // A server that has less than it was sent is asked again.
        guard place.map({ $0.offset == state.offset + count && (!isLast || $0.isComplete != false) }) ?? true else {
            let reason = "the server has not taken all bytes"
            try note(NetworkError(kind: .invalidResponse, reason: reason, response: answer.response), &run)
            return nil
        }
        run.failures = 0
        if isLast { return .success(try finish(state, answer)) }
        state.offset += count
        try store.keep(state)
        run.state = state
        return nil
    }

    /// Begins an upload.
    private func begin(_ run: inout Run) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        let answer = try await send(.create, attempt: run.attempt)
        // A mock that answers the call by itself asks for no content.
        guard let known = known.withLock({ $0 }) else { return .success(Ending(answer: answer)) }
        let state = try UploadState(answer.response, known.content, options, request: known.identity)
        try store.keep(state)
        run = Run(state: state, isLocated: true, isContinued: false)
        if state.dialect == .tus, state.length == 0 { return .success(try finish(state, answer)) }
        return nil
    }

    private func finish(_ state: UploadState, _ answer: UndecodedAnswer?) throws(NetworkError) -> Ending {
        try store.keep(nil)
        if answer == nil || state.length == 0 {
            progress?(TransferProgress(direction: .sending, completed: state.length, total: state.length))
        }
        return Ending(address: state.address, answer: answer)
    }

    private func place(
        in response: HTTPResponse,
        of state: UploadState
    ) throws(NetworkError) -> UploadDialect.Place {
        func invalid(_ reason: String, _ failure: UploadFailure? = nil) -> NetworkError {
            NetworkError(kind: .invalidResponse, reason: reason, response: response, underlying: failure)
        }
        guard let place = state.dialect.place(in: response.headers) else {
            throw invalid("the server does not say how many bytes it has")
        }
        guard place.offset <= state.length, place.length == nil || place.length == state.length else {
            throw invalid("the server's upload has another length")
        }
        guard place.offset >= state.offset else {
            throw invalid(
                "the server has \(place.offset) bytes and had confirmed \(state.offset)",
                .offsetWentBack(from: state.offset, to: place.offset))
        }
        return place
    }

    // MARK: Failures

    /// Waits before the next step, or throws if no step can help.
    private func recover(from error: NetworkError, _ run: inout Run) async throws(NetworkError) {
        let error = error.naming(run.state == nil)
        if let failure = error.underlying as? UploadFailure, failure.endsUpload {
            try store.keep(nil)
            throw error
        }
        guard run.state != nil, error.isTransient(options.statuses) else { throw error }
        try note(error, &run)
        let pause = pause(after: error, run)
        run.pause = pause
        do {
            try await options.clock.sleep(for: pause)
        } catch {
            throw NetworkError(kind: .cancelled)
        }
    }

    /// Counts a failure. Throws it if there were too many in a row.
    private func note(_ error: NetworkError, _ run: inout Run) throws(NetworkError) {
        run.failures += 1
        run.attempt += 1
        (run.isLocated, run.isContinued) = (false, true)
        if run.failures > max(0, options.failureLimit) { throw error }
    }

    private func pause(after error: NetworkError, _ run: Run) -> Duration {
        let isThrottled = RetryCause(error, statuses: options.statuses) == .throttled
        let pause = options.backoff.pause(
            retry: run.failures - 1, previous: run.pause, isThrottled: isThrottled, random: options.random)
        let asked = error.response.flatMap {
            RetryAfter.pause(in: $0.headers) { Int64(Date().timeIntervalSince1970) }
        }
        return max(pause, min(asked ?? .zero, options.backoff.cap))
    }

    // MARK: Requests

    private func send(_ step: UploadStep, attempt: Int) async throws(NetworkError) -> UndecodedAnswer {
        var settings = CallSettings(step.needsContent ? .upload : .request)
        if case .append(let state, _, _, _) = step, let progress {
            settings.progress = { report in
                progress(
                    TransferProgress(
                        direction: .sending, completed: state.offset + report.completed, total: state.length,
                        attempt: attempt))
            }
        }
        settings.session = session
        settings.validation = step.validation
        settings.change = { [known, options] request, rules throws(NetworkError) in
            guard step.needsContent else { return try step.shape(&request, nil, options, rules) }
            if known.withLock({ $0 }) == nil {
                let first = Known(content: try UploadContent(request), identity: request.identity)
                known.withLock { $0 = first }
            }
            try step.shape(&request, known.withLock { $0?.content }, options, rules)
        }
        settings.isStep = true
        return try await calls.runUnmapped(request, .undecoded, settings: settings)
    }
}
