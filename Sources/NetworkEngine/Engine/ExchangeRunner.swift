import Foundation

/// Runs one exchange on the transport, and ends it at its timeout or deadline.
package struct ExchangeRunner: Sendable {
    private let transport: any TransportDriver
    private let timeout: Duration
    private let timers: TimerQueue

    package init(transport: any Transport, timeout: Duration, timers: TimerQueue) {
        self.transport = transport as? any TransportDriver ?? TransportAdapter(transport, timers: timers)
        self.timeout = timeout
        self.timers = timers
    }

    /// Validates a request, and exchanges it for a response with a body in memory, in a file or as a stream.
    ///
    /// - Parameter answering: answers the exchanges of a download in place of the transport.
    package func exchange(
        _ request: HTTPRequest,
        context: RequestContext,
        answering: (any ExchangeAnswering)? = nil
    ) async throws(NetworkError) -> HTTPResponse {
        if let request = request.withPlainReferer {
            return try await exchange(request, context: context, answering: answering)
        }
        if Task.isCancelled { throw .cancelled(request) }
        try request.validate()
        try context.call.options.transport.upgrade?.check(request)
        var transfer = context.call.options.transport
        transfer.attempt = context.attempt
        if let report = transfer.progress, !request.body.isNone {
            // Reports progress at once, before the first bytes.
            let total = request.bodyLength
            report(TransferProgress(direction: .sending, completed: 0, total: total, attempt: context.attempt))
        }
        guard let download = context.call.options.files else {
            return try await perform(request, transfer, of: context.call)
        }
        return try await save(request, transfer, of: context, to: download, answering: answering)
    }

    /// - Parameter savesBody: whether a streamed body must arrive before the deadline, too.
    @inline(__always)
    private func perform(
        _ request: HTTPRequest,
        _ context: TransportContext,
        of call: Call,
        savesBody: Bool = false
    ) async throws(NetworkError) -> HTTPResponse {
        if let observation = call.options.observation.flatMap({ ExchangeObservation(of: request, in: $0) }) {
            return try await performObserved(request, context, of: call, savesBody: savesBody, by: observation)
        }
        return try await performUnobserved(request, context, of: call, savesBody: savesBody)
    }

    /// Not inlined: the frame of an unobserved exchange stays small.
    @inline(never)
    private func performObserved(
        _ request: HTTPRequest,
        _ context: TransportContext,
        of call: Call,
        savesBody: Bool,
        by observation: ExchangeObservation
    ) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            let context = context.observed(by: observation)
            let response = try await performUnobserved(request, context, of: call, savesBody: savesBody)
            return observation.succeed(response)
        } catch {
            observation.fail(error)
            throw error
        }
    }

    @inline(__always)
    private func performUnobserved(
        _ request: HTTPRequest,
        _ context: TransportContext,
        of call: Call,
        savesBody: Bool
    ) async throws(NetworkError) -> HTTPResponse {
        let deadline = call.options.exchangesKeepDeadline ? context.deadline : nil
        if let deadline, deadline.timeLeft == .zero { throw .deadlinePassed(request, isQueued: true) }
        if let departure = context.departure, let error = departure(request) { throw error }
        let duration = request.timeout ?? timeout
        let timeout = ExchangeTimeout(timeout: duration, deadline: deadline, timers: timers)
        do {
            let response = try await transport.send(request, context: context.limited(by: timeout))
            if case .stream = response.body {
                timeout.beginStream(
                    timeout: context.streamTimeout.duration(standard: duration), keepsDeadline: savesBody)
            } else if timeout.finish() != nil, response.upgrade != nil {
                // The timeout has closed the connection already.
                throw CancellationError()
            }
            return response
        } catch {
            throw .exchange(error, of: request, endedBy: timeout.finish(), after: duration)
        }
    }

    /// Runs an exchange in a task that a pause cancels, and writes its body to a file while it arrives.
    private func save(
        _ request: HTTPRequest,
        _ context: TransportContext,
        of attempt: RequestContext,
        to download: DownloadSession,
        answering: (any ExchangeAnswering)?
    ) async throws(NetworkError) -> HTTPResponse {
        var transfer = context
        transfer.streamsBody = true
        transfer.choosesCoding = !request.headers.contains("Accept-Encoding")
        transfer.keepsPermit = true
        // The transport waits for a disk that is slower than the network.
        transfer.limits.streamBacklog = .max
        if let progress = context.progress {
            // Progress counts the bytes that are written, not those that arrive.
            transfer.progress = { report in if report.direction == .sending { progress(report) } }
        }
        let writer = DownloadWriter(
            session: download,
            limit: context.limits.bodyInFile,
            attempt: context.attempt,
            report: context.progress
        ) { [transfer] in
            guard let answering else { return try await perform($0, transfer, of: attempt.call, savesBody: true) }
            let sending: InterceptorChain.Exchange = { request, _ in
                try await perform(request, transfer, of: attempt.call, savesBody: true)
            }
            return try await answering.answer($0, context: attempt, by: sending)
        }
        do {
            return try await download.gate.run { try await writer.response(to: request) }
        } catch {
            if Task.isCancelled { throw .cancelled(request) }
            throw .transport(error, request: request)
        }
    }
}

extension TransportContext {
    /// The same context, for an exchange with observers.
    fileprivate func observed(by observation: ExchangeObservation) -> TransportContext {
        var context = self
        context.observation = observation
        context.progress = { [progress] report in
            observation.progressed(report)
            progress?(report)
        }
        return context
    }
}

extension HTTPRequest {
    /// The request without user, password and fragment in its `Referer`, as RFC 9110 (10.1.3) requires.
    ///
    /// - Returns: `nil` if the `Referer` contains no such part.
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

extension NetworkError {
    /// The error of an exchange, for the error that its transport threw.
    fileprivate static func exchange(
        _ error: any Error,
        of request: HTTPRequest,
        endedBy expiry: ExchangeTimeout.Expiry?,
        after timeout: Duration
    ) -> NetworkError {
        if Task.isCancelled { return .cancelled(request) }
        let known = error as? NetworkError
        switch expiry {
        case nil: return .transport(error, request: request)
        case .deadline(let isQueued):
            return .deadlinePassed(request, isQueued: isQueued).completed(response: known?.response)
        case .timeout:
            if case .timeout(let phase)? = known?.transportFailure {
                return .timedOut(
                    after: timeout, during: phase, known?.request ?? request, underlying: known?.underlying
                ).completed(response: known?.response)
            }
            let cause = error is CancellationError || known?.kind == .cancelled ? nil : error
            return .timedOut(after: timeout, request, underlying: cause)
        }
    }
}

extension HTTPRequest {
    /// The number of bytes to send, if it is known in advance.
    fileprivate var bodyLength: Int64? {
        switch body {
        case .none: nil
        case .data(let data): Int64(data.count)
        case .stream(let stream): stream.length
        case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize).map(Int64.init)
        }
    }
}
