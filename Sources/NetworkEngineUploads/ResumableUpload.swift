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
        let request: HTTPRequest
        let rules: RequestRules
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
    var observed: ObservedCall? { session.call }

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
            // The server does not know the upload, or lets no client remove one.
            guard error.isAnswer, let status = error.statusCode, [403, 404, 405, 410, 501].contains(status) else {
                throw error
            }
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
        /// The error with which the server answered the last bytes.
        var refusal: NetworkError?
    }

    /// Does the next step. Returns the end after the last one, and throws where another step may help.
    private func advance(_ run: inout Run) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        guard let state = run.state else { return try await begin(&run) }
        if !run.isLocated, let result = try await locate(state, &run) { return result }
        return try await append(run.state ?? state, &run)
    }

    /// Asks for the number of bytes that the server has.
    private func locate(
        _ state: UploadState,
        _ run: inout Run
    ) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        let answer: UndecodedAnswer
        do throws(NetworkError) {
            answer = try await send(.locate(state), attempt: run.attempt)
        } catch {
            guard let refusal = run.refusal, error.isAboutMissing else { throw error }
            // An upload that was refused may be removed.
            forget()
            return .failure(refusal)
        }
        if isMocked { return .success(answeredByMock(answer)) }
        let place = try place(in: answer.response, of: state)
        if place.offset > state.offset { run.failures = 0 }
        if place.isComplete ?? (state.dialect == .tus && place.offset == state.length) {
            forget()
            guard place.offset == state.length else {
                let reason = "the server has ended the upload with \(place.offset) of \(state.length) bytes"
                return .failure(NetworkError(kind: .invalidResponse, reason: reason, response: answer.response))
            }
            if let refusal = run.refusal ?? state.refusal(answer.response) { return .failure(refusal) }
            return .success(finish(state, nil))
        }
        var located = state
        located.offset = place.offset
        (located.refusedStatus, run.refusal) = (nil, nil)
        try store.keep(located)
        (run.state, run.isLocated) = (located, true)
        return nil
    }

    /// Sends bytes.
    private func append(
        _ state: UploadState,
        _ run: inout Run
    ) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        let most = min(options.pieceSize ?? .max, state.pieceLimit ?? .max)
        let count = min(max(1, most), state.length - state.offset)
        let isLast = state.offset + count == state.length
        let step = UploadStep.append(state, count: count, isLast: isLast, asksFirst: run.isContinued)
        let answer: UndecodedAnswer
        do throws(NetworkError) {
            answer = try await send(step, attempt: run.attempt)
        } catch {
            if error.statusCode == 417, run.isContinued, count > 0 {
                // The server does not read the question. The same bytes are sent without it.
                run.isContinued = false
                return nil
            }
            if isLast, error.isAnswer, let refusal = try await refused(state, error, &run) { return .failure(refusal) }
            throw error
        }
        run.isContinued = false
        let expected = state.offset + count
        guard state.dialect.confirms(answer.response, upTo: expected, isLast: isLast) else {
            guard (200..<300).contains(answer.response.statusCode) else {
                throw NetworkError(
                    kind: .status, reason: "the server has not taken the bytes", response: answer.response)
            }
            let reason = "the server does not confirm that it has taken all bytes"
            try note(NetworkError(kind: .invalidResponse, reason: reason, response: answer.response), &run)
            return nil
        }
        run.failures = 0
        if isLast {
            forget()
            return .success(finish(state, answer))
        }
        var next = state
        next.offset = expected
        try store.keep(next)
        run.state = next
        return nil
    }

    /// The last bytes were answered with an error. Returns it if the server has them all, so that it is final.
    private func refused(
        _ state: UploadState,
        _ error: NetworkError,
        _ run: inout Run
    ) async throws(NetworkError) -> NetworkError? {
        guard let response = error.response, !UploadStep.isAboutConnection(response.statusCode) else { return nil }
        if state.dialect.place(in: response.headers)?.isComplete == true {
            forget()
            return error
        }
        if error.isAboutMissing { return nil }
        run.refusal = error
        if error.isTemporary(statuses: options.statuses) {
            var refused = state
            refused.refusedStatus = response.statusCode
            try store.keep(refused)
            run.state = refused
            return nil
        }
        do throws(NetworkError) {
            let answer = try await send(.locate(state), attempt: run.attempt)
            let place = state.dialect.place(in: answer.response.headers)
            if place?.offset == state.length, place?.isComplete != false { forget() }
        } catch {
            if error.isAboutMissing { forget() }
        }
        return error
    }

    /// Begins an upload.
    private func begin(_ run: inout Run) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        let answer = try await send(.create, attempt: run.attempt)
        guard let known = known.withLock({ $0 }) else { return .success(answeredByMock(answer)) }
        let state = try UploadState(
            answer.response, known.content, options, known.rules, begunBy: known.request)
        try store.keep(state)
        run = Run(state: state, isLocated: true, isContinued: false)
        if state.dialect == .tus, state.length == 0 {
            forget()
            return .success(finish(state, answer))
        }
        return nil
    }

    /// Whether a mock has answered the call by itself, so that nothing was asked for the content.
    private var isMocked: Bool { known.withLock { $0 == nil } }

    private func answeredByMock(_ answer: UndecodedAnswer) -> Ending {
        forget()
        return Ending(answer: answer)
    }

    /// Removes the state of an upload that has ended. That it cannot be removed does not change the end.
    private func forget() { try? store.save(nil) }

    private func finish(_ state: UploadState, _ answer: UndecodedAnswer?) -> Ending {
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
        if isMocked { throw error }
        let error = error.naming(run.state == nil)
        if let failure = error.underlying as? UploadFailure, failure.endsUpload {
            forget()
            throw error
        }
        guard run.state != nil, error.isTemporary(statuses: options.statuses) else { throw error }
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
        let isThrottled = RetryCause(error.networkCause ?? error, statuses: options.statuses) == .throttled
        let pause = options.backoff.pause(
            retry: run.failures - 1, previous: run.pause, isThrottled: isThrottled, random: options.random)
        return max(pause, min(error.retryAfter ?? .zero, options.backoff.cap))
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
                let first = Known(content: try UploadContent(request), request: request, rules: rules)
                known.withLock { $0 = first }
            }
            try step.shape(&request, known.withLock { $0?.content }, options, rules)
        }
        settings.isStep = true
        return try await calls.runUnmapped(request, .undecoded, settings: settings)
    }
}
