/// Saves a download's response to a file, in a task that pausing the download cancels.
struct DownloadSaving: Sendable {
    /// Returns a response from a cache, or with a file that `DownloadReceiving` has written.
    let next: InterceptorChain.Exchange

    func save(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        guard let download = context.call.options.files else { return try await next(request, context) }
        let coding = context.changed { $0.choosesCoding = !request.headers.contains("Accept-Encoding") }
        let writer = DownloadWriter(download, context) { [next] in try await next($0, coding) }
        do {
            if download.mayStartAgain { return try await download.gate.run { try await writer.saved(request) } }
            return try await save(request, once: writer, download.gate)
        } catch {
            let error = NetworkError.transport(error, request: request)
            throw Task.isCancelled && !error.isDeadline ? NetworkError.cancelled(request) : error
        }
    }

    /// Saves the response of a call that must not resend its request.
    ///
    /// A pause waits for the end of its exchange. An exchange that only fetches the result, after a redirect, is paused
    /// and resumes separately.
    private func save(
        _ request: HTTPRequest,
        once writer: DownloadWriter,
        _ gate: PauseGate
    ) async throws -> HTTPResponse {
        while true {
            try await gate.waitUntilOpen()
            guard request.isRepeatable else { return try await writer.saved(request) }
            do {
                return try await gate.run { try await writer.saved(request) }
            } catch {
                guard gate.takeInterruption(), !Task.isCancelled,
                    NetworkError.transport(error, request: request).kind == .cancelled
                else {
                    throw error
                }
            }
        }
    }
}

/// Writes a download's body to a file while it arrives. The exchange ends when the file is complete.
struct DownloadReceiving: Sendable {
    /// Sends the download's requests: the first one, and one for the rest of a partial file.
    let next: InterceptorChain.Exchange

    func receive(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        guard let download = context.call.options.files else { return try await next(request, context) }
        let streaming = context.streamingIntoFile
        let writer = DownloadWriter(download, context) { [next] in try await next($0, streaming) }
        do {
            return try await writer.response(to: request)
        } catch {
            let error = NetworkError.transport(error, request: request)
            let isCanceled = Task.isCancelled && !error.isDeadline
            throw isCanceled ? NetworkError.cancelled(request).completed(response: error.response) : error
        }
    }
}

extension NetworkError {
    fileprivate var isDeadline: Bool { transportFailure == .timeout(.deadline) }
}

extension DownloadWriter {
    fileprivate init(_ session: DownloadSession, _ context: RequestContext, send: @escaping Send) {
        let transport = context.call.options.transport
        self.init(
            session: session, limit: transport.limits.bodyInFile, attempt: context.attempt, report: transport.progress,
            send: send)
    }
}

extension RequestContext {
    /// The same context for exchanges that write the body to a file while it arrives.
    fileprivate var streamingIntoFile: RequestContext {
        changed { values in
            values.streamsBody = true
            values.keepsPermit = true
            // The transport waits if the disk is slower than the network.
            values.limits.streamBacklog = .max
            guard let progress = values.progress else { return }
            // Progress counts the bytes written, not the bytes that arrive.
            values.progress = { report in if report.direction == .sending { progress(report) } }
        }
    }

    fileprivate func changed(_ change: (inout TransportContext.Values) -> Void) -> RequestContext {
        var options = call.options
        options.transport = options.transport.changed(change)
        return RequestContext(call: Call(options), attempt: attempt)
    }
}
