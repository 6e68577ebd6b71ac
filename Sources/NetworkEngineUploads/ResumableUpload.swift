import Foundation
import NetworkEngine

/// A call that uploads content in as many requests as needed.
struct ResumableUpload<Calls: NetworkCalling>: Sendable {
    /// The end of an upload; without an answer if it was lost.
    struct Ending: Sendable {
        var address: URL?
        var answer: UndecodedAnswer?
    }

    let calls: Calls
    let request: Calls.Request
    let store: UploadStateStore
    let options: ResumableUploadOptions
    let progress: (@Sendable (TransferProgress) -> Void)?
    /// All steps belong to one user session, and to one call for observers.
    private let session = CallSession()
    private let known = Locked<Known?>(nil)

    /// What the call's first request revealed.
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

    /// The call as seen by observers, once its first request was created.
    var observed: ObservedCall? { session.call }

    // MARK: The steps

    /// Uploads the bytes that the server does not have.
    @concurrent
    func run() async throws(NetworkError) -> Ending {
        var run = UploadRun()
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
            let response = try await send(.discard(state), attempt: 1).response
            // For example, a proxy's page.
            guard state.dialect.confirmsRemoval(response) else {
                throw NetworkError(
                    kind: .invalidResponse, reason: "the response does not confirm that the upload is removed",
                    response: response)
            }
        } catch {
            // The server does not have the upload, or does not let clients remove uploads.
            guard error.isAnswer, let status = error.statusCode, [403, 404, 405, 410, 501].contains(status) else {
                throw error
            }
        }
        try store.keep(nil)
    }

    /// Performs the next step. Returns the result after the last one, and throws if another step may help.
    private func advance(_ run: inout UploadRun) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        guard let state = run.state else { return try await begin(&run) }
        if !run.isLocated, let result = try await locate(state, &run) { return result }
        return try await append(run.state ?? state, &run)
    }

    /// Requests the number of bytes that the server has.
    private func locate(
        _ state: UploadState,
        _ run: inout UploadRun
    ) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        let answer: UndecodedAnswer
        do throws(NetworkError) {
            answer = try await send(.locate(state), attempt: run.attempt)
        } catch {
            if let begun = run.unproved, error.isAnswer, !error.isTemporary(statuses: options.statuses) {
                throw .withoutUploads(begun)
            }
            if let unconfirmed = run.unconfirmed, unconfirmed.answer != nil, error.isAboutMissing {
                // Sending all bytes again would repeat an upload that the server has probably accepted.
                forget()
                return .failure(
                    NetworkError(
                        kind: .invalidResponse,
                        reason: "the server has ended the upload, and its response does not confirm it",
                        response: unconfirmed.error.response, underlying: UploadFailure.responseLost))
            }
            guard let refusal = run.refusal, error.isAboutMissing else { throw error }
            // A rejected upload may be removed.
            forget()
            return .failure(refusal)
        }
        if isMocked { return .success(answeredByMock(answer)) }
        if let begun = run.unproved, state.dialect.place(in: answer.response.headers) == nil {
            throw .withoutUploads(begun)
        }
        let place = try place(in: answer.response, of: state)
        if run.unproved != nil, place.offset > 0 {
            throw .beginning(withBytes: place.offset, answer.response)
        }
        if place.offset > state.offset { run.failures = 0 }
        let unconfirmed = run.unconfirmed.take()
        let needsNoFlag = state.dialect == .tus || unconfirmed?.answer != nil
        if place.isComplete ?? (needsNoFlag && place.offset == state.length) {
            guard place.offset == state.length else {
                throw NetworkError(
                    kind: .invalidResponse,
                    reason: "the server has ended the upload before its last byte",
                    response: answer.response, underlying: UploadFailure.contradictoryRecord,
                    figures: ErrorFigures(byteCount: place.offset, expectedByteCount: state.length))
            }
            forget()
            if let refusal = run.refusal ?? state.refusal(answer.response) { return .failure(refusal) }
            return .success(finish(state, unconfirmed?.answer))
        }
        if let unconfirmed, place.offset <= state.offset { try run.note(unconfirmed.error, options) }
        var located = state
        located.offset = place.offset
        (located.refusedStatus, run.refusal) = (nil, nil)
        try store.keep(located)
        (run.state, run.isLocated, run.unproved) = (located, true, nil)
        return nil
    }

    /// Sends bytes.
    private func append(
        _ state: UploadState,
        _ run: inout UploadRun
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
                // The server does not support `Expect`. The same bytes are sent without it.
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
            let error = NetworkError(kind: .invalidResponse, reason: reason, response: answer.response)
            let mayBeFinal = isLast && state.dialect.mayBeFinal(answer.response)
            run.unconfirmed = UploadRun.Unconfirmed(error: error, answer: mayBeFinal ? answer : nil)
            (run.isLocated, run.isContinued) = (false, true)
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

    /// The last bytes were answered with an error. Returns it if the server has all bytes, so that it is final.
    private func refused(
        _ state: UploadState,
        _ error: NetworkError,
        _ run: inout UploadRun
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

    /// Creates an upload.
    private func begin(_ run: inout UploadRun) async throws(NetworkError) -> Result<Ending, NetworkError>? {
        let answer = try await send(.create, attempt: run.attempt)
        guard let known = known.withLock({ $0 }) else { return .success(answeredByMock(answer)) }
        let isProved = UploadDialect.answered(answer.response, of: options.uploadProtocol.offered) != nil
        let state: UploadState
        do throws(NetworkError) {
            state = try UploadState(answer.response, known.content, options, known.rules, begunBy: known.request)
        } catch {
            // A different kind of URL, from a server without resumable uploads.
            throw isProved ? error : .withoutUploads(answer.response)
        }
        if !isProved {
            run = UploadRun(state: state, isContinued: false, unproved: answer.response)
            return nil
        }
        try store.keep(state)
        run = UploadRun(state: state, isLocated: true, isContinued: false)
        if state.dialect == .tus, state.length == 0 {
            forget()
            return .success(finish(state, answer))
        }
        return nil
    }

    private var knownContent: UploadContent? { known.withLock { $0?.content } }

    /// Whether a mock answered the call itself, so that the content was never requested.
    private var isMocked: Bool { known.withLock { $0 == nil } }

    private func answeredByMock(_ answer: UndecodedAnswer) -> Ending {
        forget()
        return Ending(answer: answer)
    }

    /// Removes the state of an upload that has ended. A failure to remove it does not change the result.
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
        func invalid(
            _ reason: String, _ failure: UploadFailure? = nil, _ count: Int64? = nil, not expected: Int64? = nil
        ) -> NetworkError {
            NetworkError(
                kind: .invalidResponse, reason: reason, response: response, underlying: failure,
                figures: ErrorFigures(byteCount: count, expectedByteCount: expected))
        }
        guard let place = state.dialect.place(in: response.headers) else {
            throw invalid("the server does not say how many bytes it has")
        }
        if let length = place.length, length != state.length {
            throw invalid(
                "the server's upload and the content have different lengths", .contradictoryRecord, length,
                not: state.length)
        }
        guard place.offset <= state.length else {
            throw invalid(
                "the server has more bytes than the content", .contradictoryRecord, place.offset, not: state.length)
        }
        guard place.offset >= state.offset else {
            throw invalid(
                "the server has fewer bytes than it had confirmed",
                .offsetWentBack(from: state.offset, to: place.offset), place.offset, not: state.offset)
        }
        return place
    }

    // MARK: Failures

    /// Waits before the next step, or throws if no step can help.
    private func recover(from error: NetworkError, _ run: inout UploadRun) async throws(NetworkError) {
        if isMocked { throw error }
        let error = error.naming(run.state == nil)
        if let failure = error.underlying as? UploadFailure, failure.endsUpload {
            forget()
            throw error
        }
        let mayFollow =
            run.state == nil
            ? options.mayBegin(knownContent, after: error) : error.isTemporary(statuses: options.statuses)
        guard mayFollow else { throw error }
        try run.note(error, options)
        let pause = run.pause(after: error, options)
        run.pause = pause
        do {
            try await options.clock.sleep(for: pause)
        } catch {
            throw NetworkError(kind: .cancelled)
        }
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
