extension RequestEngine {
    /// Runs a call in this task, and returns its response.
    ///
    /// - Parameter running: records the attempts, for the error of a call that is ended from outside.
    func perform(
        _ request: HTTPRequest,
        _ call: Call,
        in running: RunningCall<HTTPResponse>?
    ) async throws(NetworkError) -> HTTPResponse {
        if let fault { throw fault.completed(request: request) }
        call.options.files?.begin(request)
        do throws(NetworkError) {
            let response = try await path.run(request, call, in: running)
            call.transferEnded(response.body)
            return response
        } catch {
            call.transferEnded(nil)
            throw decodable(error, call)
        }
    }

    /// Runs a call in a separate task, which ends at the deadline even if unknown code ignores it.
    ///
    /// - Parameter finish: the last step of the task.
    func perform(
        _ request: HTTPRequest,
        _ call: Call,
        until deadline: Deadline,
        finish: (@Sendable (HTTPResponse) throws(NetworkError) -> Void)? = nil
    ) async throws(NetworkError) -> HTTPResponse {
        let running = RunningCall<HTTPResponse>(timers: timers, request: request, onUnclaimed: { $0.discardFile() })
        return try await running.run(until: deadline) {
            RunningCall<HTTPResponse>.Working.starting { [self] in
                do throws(NetworkError) {
                    let response = try await perform(request, call, in: running)
                    if let finish {
                        // The caller's thread must be free at the deadline, because a decoder cannot be stopped.
                        await running.leaveCallersThread()
                        try finish(response)
                    }
                    return running.finish(.success(response))
                } catch {
                    return running.finish(.failure(error))
                }
            }
        }.get()
    }

    /// An error with a body that can be decoded like the call's value.
    func decodable(_ error: NetworkError, _ call: Call) -> NetworkError {
        error.response == nil ? error : error.completed(decoding: standardDecoding(for: call.options.target))
    }
}

extension Call {
    /// The last exchange is over.
    ///
    /// - Parameter body: the body of the response; `nil` for an error.
    fileprivate func transferEnded(_ body: ResponseBody?) {
        if let files = options.files {
            if let body { files.discard(except: body) } else { files.discard() }
            files.close()
        }
        options.progress?.end(withSuccess: body != nil)
    }
}
