import Foundation

/// Runs one exchange on the transport, and ends it at its timeout or deadline.
package struct ExchangeRunner: Sendable {
    private let transport: any TransportDriver
    private let timeout: Duration
    private let timers: TimerQueue

    init(transport: any Transport, timeout: Duration, timers: TimerQueue) {
        self.transport = transport as? any TransportDriver ?? TransportAdapter(transport, timers: timers)
        self.timeout = timeout
        self.timers = timers
    }

    /// Validates a request and sends it. The response body is in memory or a stream.
    func exchange(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        if let request = request.withPlainReferer { return try await exchange(request, context) }
        if Task.isCancelled { throw NetworkError.cancelled(request) }
        try request.validate()
        try context.call.options.transport.upgrade?.check(request)
        var transfer = context.call.options.transport
        transfer.attempt = context.attempt
        if let report = transfer.progress, !request.body.isAbsent {
            // Reports progress immediately, before the first bytes.
            let total = request.bodyLength
            report(TransferProgress(direction: .sending, completed: 0, total: total, attempt: context.attempt))
        }
        return try await perform(request, transfer, of: context.call)
    }

    @inline(__always)
    private func perform(
        _ request: HTTPRequest,
        _ context: TransportContext,
        of call: Call
    ) async throws(NetworkError) -> HTTPResponse {
        if let observation = call.options.observation.flatMap({ ExchangeObservation(of: request, in: $0) }) {
            return try await performObserved(request, context, of: call, by: observation)
        }
        return try await performUnobserved(request, context, of: call)
    }

    /// Not inlined, to keep the frame of an unobserved exchange small.
    @inline(never)
    private func performObserved(
        _ request: HTTPRequest,
        _ context: TransportContext,
        of call: Call,
        by observation: ExchangeObservation
    ) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            let context = context.observed(by: observation)
            let response = try await performUnobserved(request, context, of: call)
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
        of call: Call
    ) async throws(NetworkError) -> HTTPResponse {
        let deadline = call.options.exchangesKeepDeadline ? context.deadline : nil
        // This also covers a call that its own timer has ended: code that ignores cancellation may get here afterwards.
        if let end = context.deadline, end.timeLeft == .zero { throw .deadlinePassed(request, of: end, isQueued: true) }
        if let error = context.departure?.refusal(of: request) { throw error }
        let duration = request.timeout ?? timeout
        let timeout = ExchangeTimeout(timeout: duration, deadline: deadline, of: context.deadline, timers: timers)
        do {
            let response = try await transport.send(request, context: context.limited(by: timeout))
            if response.statusCode == 206, let fault = response.faultOfPart(for: request) { throw fault }
            if case .stream = response.body {
                // A body that the engine reads must also arrive before the deadline.
                timeout.beginStream(
                    timeout: context.streamTimeout.duration(standard: duration),
                    keepsDeadline: context.keepsPermit)
            } else if timeout.finish() != nil, response.upgrade != nil {
                // The timeout has already closed the connection.
                throw CancellationError()
            }
            return response
        } catch {
            let expiry = timeout.finish()
            // The call's timer has canceled it. A circuit breaker records that the host was too slow.
            if Task.isCancelled, timeout.hasStarted, context.timeLeft == .zero {
                throw .deadlinePassed(request, of: context.deadline)
            }
            throw .exchange(error, of: request, endedBy: expiry, after: duration, until: context.deadline)
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
    /// - Returns: `nil` if the `Referer` does not contain these parts.
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

extension HTTPResponse {
    /// The error for a partial response that the request did not request; `nil` if the part may be the whole.
    ///
    /// Ranges in units other than bytes belong to an application, such as the pages of a list.
    fileprivate func faultOfPart(for request: HTTPRequest) -> NetworkError? {
        guard !request.headers.contains("Range") else { return nil }
        if let range = headers["Content-Range"].flatMap(ContentRange.init) {
            guard range.start > 0 || range.total.map({ range.end + 1 < $0 }) == true else { return nil }
        } else {
            // In a multipart response, each part contains its own range.
            let type = headers["Content-Type"]?.lowercased()
            guard statusCode == 206, type?.hasPrefix("multipart/byteranges") == true else { return nil }
        }
        discardFile()
        return NetworkError(
            .protocolViolation, reason: "the response is a part of the resource that was not requested",
            request: request, response: withoutStream)
    }
}

extension NetworkError {
    /// The exchange's error for an error that its transport threw.
    fileprivate static func exchange(
        _ error: any Error,
        of request: HTTPRequest,
        endedBy expiry: ExchangeTimeout.Expiry?,
        after timeout: Duration,
        until deadline: Deadline?
    ) -> NetworkError {
        if Task.isCancelled { return .cancelled(request) }
        let known = error as? NetworkError
        switch expiry {
        case nil: return .transport(error, request: request)
        case .deadline(let isQueued):
            return .deadlinePassed(request, of: deadline, isQueued: isQueued).completed(response: known?.response)
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
    /// The number of bytes to send, if known in advance.
    fileprivate var bodyLength: Int64? {
        switch body {
        case .absent: nil
        case .data(let data): Int64(data.count)
        case .stream(let stream): stream.length
        case .file(let url): BodyFile.length(of: url)
        }
    }
}
