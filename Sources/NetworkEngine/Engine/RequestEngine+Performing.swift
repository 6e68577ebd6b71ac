import Foundation

extension RequestEngine {
    /// Runs a call in this task and returns its response.
    ///
    /// - Parameter running: records the attempts, for the error of a call that is ended externally.
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
            throw decodable(error, call).measured(by: call.options.transport.deadline)
        }
    }

    /// Runs a call in a separate task, which ends at the deadline even if custom code ignores it.
    ///
    /// - Parameter finish: the last step of the task.
    func perform(
        _ request: HTTPRequest,
        _ call: Call,
        until deadline: Deadline,
        finish: (@Sendable (HTTPResponse) throws(NetworkError) -> Void)? = nil
    ) async throws(NetworkError) -> HTTPResponse {
        let files = call.options.files
        let endFiles: (@Sendable () -> Void)? = if let files { { files.end() } } else { nil }
        let running = RunningCall<HTTPResponse>(
            timers: timers, request: request, onEnd: endFiles, onUnclaimed: { $0.discardFile() })
        let outcome = await running.run(until: deadline) {
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
        }
        if case .failure = outcome { await files?.ended() }
        return try outcome.get()
    }

    /// An error with a body that can be decoded like the call's value.
    func decodable(_ error: NetworkError, _ call: Call) -> NetworkError {
        error.response == nil ? error : error.completed(decoding: standardDecoding(for: call.options.target))
    }
}

extension Call {
    /// Called when the last exchange is over.
    ///
    /// - Parameter body: the response body; `nil` for an error.
    fileprivate func transferEnded(_ body: ResponseBody?) {
        if let files = options.files {
            if let body { files.discard(except: body) } else { files.discard() }
            files.close()
        }
        options.progress?.end(withSuccess: body != nil)
    }
}

extension RequestEngine {
    /// Returns a request after its interceptors' `adapt` hooks, in the order of a call. Sends nothing.
    ///
    /// A hook can refresh a credential, which makes other calls. The deadline limits the time of all hooks.
    package func adapted(
        _ request: HTTPRequest,
        _ options: CallOptions
    ) async throws(NetworkError) -> HTTPRequest {
        var (request, options) = (request, options)
        try complete(&request, &options)
        options.attemptLimit = 1
        let context = RequestContext(call: Call(options), attempt: 1)
        do {
            let all = interceptors + configuration.parts.layers.flatMap(\.interceptors)
            let chain = InterceptorChain(InterceptorStage.inOrder.flatMap { all.at($0) }) { request, _ in
                throw NetworkError.cancelled(request)
            }
            return try await chain.adapted(request, context: context)
        } catch {
            throw .transport(error, request: request)
        }
    }
}

extension RequestEngine {
    /// Opens a connection to a base URL's origin, with a request that contains nothing from the app.
    func prepare(at base: URL) async throws(NetworkError) {
        if let fault = base.addressFault { throw .invalid("the base is not valid: \(fault)") }
        guard let root = URL(string: base.origin.text + "/") else { throw .invalid("the base has no origin") }
        var bare = configuration
        (bare.parts, bare.headers, bare.redirects) = (ConfigurationParts(), [:], .never)
        (bare.validation, bare.attemptLimit) = (.anyResponse, 1)
        let engine = RequestEngine(interceptors: [], configuration: bare)
        _ = try await engine.value(
            of: HTTPRequest(method: .head, url: root), engine.options(), decoding: .response)
    }
}

extension RequestEngine: RefreshExecutor {
    package func refreshResponse(to request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try request.validate()
        return try await value(of: request, options(isRefresh: true), decoding: .response)
    }

    package func refreshValue<Value: Decodable & Sendable>(
        of target: any TargetType,
        as type: Value.Type
    ) async throws(NetworkError) -> Value {
        var options = options(for: target, isRefresh: true)
        let base = try builder.rules.base(of: target)
        options.base = base
        let request = try builder.request(for: target, below: base, use: .request)
        return try await value(of: request, options, decoding: .json)
    }
}
