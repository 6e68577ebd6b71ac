/// Writes the body of an exchange to a file while it arrives, in a task that a pause of the download cancels.
struct DownloadSaving: Sendable {
    /// Sends the requests of the download: the first one, and one for the rest of a partial file.
    let next: InterceptorChain.Exchange

    func save(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        guard let download = context.call.options.files else { return try await next(request, context) }
        let transport = context.call.options.transport
        let streaming = context.streamingIntoFile(request)
        let writer = DownloadWriter(
            session: download,
            limit: transport.limits.bodyInFile,
            attempt: context.attempt,
            report: transport.progress
        ) { [next] in
            try await next($0, streaming)
        }
        do {
            return try await download.gate.run { try await writer.response(to: request) }
        } catch {
            if Task.isCancelled { throw NetworkError.cancelled(request) }
            throw NetworkError.transport(error, request: request)
        }
    }
}

extension RequestContext {
    /// The same context for exchanges whose body is written to a file while it arrives.
    fileprivate func streamingIntoFile(_ request: HTTPRequest) -> RequestContext {
        var options = call.options
        let progress = options.transport.progress
        options.transport = options.transport.changed { values in
            values.streamsBody = true
            values.choosesCoding = !request.headers.contains("Accept-Encoding")
            values.keepsPermit = true
            // The transport waits for a disk that is slower than the network.
            values.limits.streamBacklog = .max
            guard let progress else { return }
            // Progress counts the bytes that are written, not those that arrive.
            values.progress = { report in if report.direction == .sending { progress(report) } }
        }
        return RequestContext(call: Call(options), attempt: attempt)
    }
}
