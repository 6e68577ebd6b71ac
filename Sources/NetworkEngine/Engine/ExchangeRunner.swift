import Foundation

/// Runs one exchange on the transport and ends it at its timeout or deadline.
package struct ExchangeRunner: Sendable {
    private let transport: any Transport
    package let stopsWhenInterrupted: Bool
    private let reportsAdmission: Bool
    private let timeout: Duration
    private let timers: TimerQueue

    package init(transport: any Transport, timeout: Duration, timers: TimerQueue) {
        self.transport = transport
        self.timeout = timeout
        self.timers = timers
        stopsWhenInterrupted = transport.capabilities.contains(.stopsWhenInterrupted)
        reportsAdmission = transport.capabilities.contains(.reportsAdmission)
    }

    package func send(_ request: HTTPRequest, context: RequestContext) async throws(NetworkError) -> HTTPResponse {
        if let request = request.withPlainReferer { return try await send(request, context: context) }
        if Task.isCancelled { throw .cancelled(request) }
        try request.validate()
        let timeout = request.timeout ?? timeout
        if let report = context.call.transport.progress, !request.body.isNone {
            // The first report comes at once, not with the first bytes.
            let total = request.bodyLength
            report(TransferProgress(direction: .sending, completed: 0, total: total, attempt: context.attempt))
        }
        if let files = context.call.files { return try await save(request, context, timeout, to: files) }
        if stopsWhenInterrupted { return try await exchange(request, context, timeout) }
        return try await exchangeInTask(request, context, timeout)
    }

    /// Runs an exchange that stops when it is told to.
    @inline(__always)
    private func exchange(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ timeout: Duration
    ) async throws(NetworkError) -> HTTPResponse {
        let deadline = context.call.exchangesKeepDeadline ? context.call.deadline : nil
        if let deadline, deadline.timeLeft == .zero { throw .deadlinePassed(request, isQueued: true) }
        let control = ExchangeControl(timeout: timeout, deadline: deadline, timers: timers)
        if !reportsAdmission { control.startTime() }
        do {
            let response = try await transport.send(request, context: context.transfer(in: control))
            if case .stream = response.body {
                control.beginStream(silence: context.call.transport.silence.duration(timeout: timeout))
            } else {
                control.finish()
            }
            return response
        } catch {
            let interruption = control.finish()
            throw .transfer(error, of: request, stoppedBy: interruption, after: timeout)
        }
    }

    /// Runs an exchange whose body goes to a file, in a task that a pause can end.
    private func save(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ timeout: Duration,
        to files: DownloadSession
    ) async throws(NetworkError) -> HTTPResponse {
        do {
            return try await files.gate.run {
                if stopsWhenInterrupted { return try await saveStream(request, context, timeout, to: files) }
                return try await exchangeInTask(request, context, timeout)
            }
        } catch {
            throw .transport(error, request: request)
        }
    }

    /// Runs an exchange whose body is written to a file here while it comes.
    private func saveStream(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ timeout: Duration,
        to files: DownloadSession
    ) async throws(NetworkError) -> HTTPResponse {
        let deadline = context.call.exchangesKeepDeadline ? context.call.deadline : nil
        if let deadline, deadline.timeLeft == .zero { throw .deadlinePassed(request, isQueued: true) }
        let control = ExchangeControl(timeout: timeout, deadline: deadline, timers: timers)
        var transfer = context.transfer(in: SavingHand(control: control))
        let progress = transfer.progress
        transfer.destination = .stream
        transfer.choosesCoding = !request.headers.contains("Accept-Encoding")
        transfer.keepsPlace = true
        // A disk that is slower than the network is waited for, not given up.
        transfer.limits.streamBacklog = .max
        if let progress {
            transfer.progress = { report in if report.direction == .sending { progress(report) } }
        }
        let saver = DownloadWriter(
            files: files,
            limit: transfer.limits.bodyInFile,
            attempt: context.attempt,
            report: progress
        ) { [transport, transfer, reportsAdmission] in
            if !reportsAdmission { control.startTime() }
            let response = try await transport.send($0, context: transfer)
            control.beginStream(silence: timeout, keepsDeadline: true)
            return response
        }
        do {
            let response = try await saver.response(to: request)
            control.finish()
            return response
        } catch {
            let interruption = control.finish()
            throw .transfer(error, of: request, stoppedBy: interruption, after: timeout)
        }
    }

    /// Runs any exchange: in a task of its own it can be stopped without the call's other work, and left behind when it
    /// does not listen.
    @inline(__always)
    private func exchangeInTask(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ timeout: Duration
    ) async throws(NetworkError) -> HTTPResponse {
        let call = RunningCall<HTTPResponse>(timers: timers, request: request, onUnclaimed: { $0.discardFile() })
        let control = ExchangeControl(timeout: timeout, timers: timers)
        control.onInterruption { _ = call.finish(.failure(.timedOut(after: timeout, request))) }
        defer { control.finish() }
        if !reportsAdmission { control.startTime() }
        let outcome = await call.run(until: nil) {
            RunningCall<HTTPResponse>.Working.starting { [transport] in
                do {
                    let context = context.transfer(in: TaskHand(control: control))
                    return call.finish(.success(try await transport.send(request, context: context)))
                } catch {
                    return call.finish(.failure(.transport(error, request: request)))
                }
            }
        }
        if Task.isCancelled, case .failure = outcome { throw .cancelled(request) }
        return try outcome.get()
    }
}

extension HTTPRequest {
    /// The request without user, password and fragment in its `Referer`, as RFC 9110 (10.1.3) demands.
    ///
    /// - Returns: `nil` when the `Referer` has none of them.
    fileprivate var withPlainReferer: HTTPRequest? {
        guard let referer = headers["Referer"] else { return nil }
        var address = AddressText(referer)
        guard address.userinfo != nil || address.fragment != nil else { return nil }
        (address.userinfo, address.fragment) = (nil, nil)
        var request = self
        request.headers["Referer"] = address.text
        return request
    }
}

/// The hand on an exchange whose stream is read by ourselves: its deadline counts to the last byte, and another exchange
/// may follow it.
private struct SavingHand: ExchangeHand {
    let control: ExchangeControl

    func startTime() { control.startTime() }

    func bytesMoved() { control.bytesMoved() }

    func onInterruption(_ action: @escaping @Sendable () -> Void) { control.onInterruption(action) }

    func silenceBegan() { control.silenceBegan() }

    func silenceEnded() { control.silenceEnded() }
}

/// The hand on an exchange in a task of its own, which is stopped by cancelling that.
private struct TaskHand: ExchangeHand {
    let control: ExchangeControl

    func startTime() { control.startTime() }

    func bytesMoved() { control.bytesMoved() }

    func onInterruption(_ action: @escaping @Sendable () -> Void) {}
}

extension SilenceLimit {
    fileprivate func duration(timeout: Duration) -> Duration? {
        switch self {
        case .timeout: timeout
        case .limited(let duration): duration
        case .unlimited: nil
        }
    }
}

extension RequestContext {
    /// What the transport is told of an exchange of this attempt.
    fileprivate func transfer(in hand: any ExchangeHand) -> TransportContext {
        var context = call.transport
        context.attempt = attempt
        if let files = call.files { context.destination = .file(files.next()) }
        return context.held(by: hand, until: call.deadline)
    }
}

extension NetworkError {
    /// The error of an exchange, from whatever its transport threw.
    fileprivate static func transfer(
        _ error: any Error,
        of request: HTTPRequest,
        stoppedBy interruption: ExchangeControl.Interruption?,
        after timeout: Duration
    ) -> NetworkError {
        if Task.isCancelled { return .cancelled(request) }
        switch interruption {
        case nil: return .transport(error, request: request)
        case .deadline(let isQueued): return .deadlinePassed(request, isQueued: isQueued)
        case .timeout:
            let known = error as? NetworkError
            if case .timeout(let phase)? = known?.transportFailure {
                return .timedOut(
                    after: timeout, during: phase, known?.request ?? request, underlying: known?.underlying)
            }
            let cause = error is CancellationError || known?.kind == .cancelled ? nil : error
            return .timedOut(after: timeout, request, underlying: cause)
        }
    }
}
