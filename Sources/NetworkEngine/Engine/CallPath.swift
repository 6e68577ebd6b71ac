/// The path of a call from its caller to the transport.
struct CallPath: Sendable {
    /// The links around all attempts. They end in the call's loop.
    let aroundCall: InterceptorChain
    /// Makes attempts, each along the rest of the path.
    let loop: AttemptLoop

    /// This defines the whole order. Each step receives the next one.
    init(
        _ interceptors: [any RequestInterceptor],
        _ configuration: NetworkConfiguration,
        transport runner: ExchangeRunner,
        timebase: Timebase
    ) {
        let layers = configuration.parts.layers
        let all = interceptors + layers.flatMap(\.interceptors)
        let sent = all.links(.sending, before: runner.exchange)
        let answered = layers.answering(before: sent)
        // A limit counts a download until its file is complete. A file from the cache does not reach the limits.
        let received = all.links(.sending, before: DownloadReceiving(next: runner.exchange).receive)
        let saved = DownloadSaving(next: layers.answering(before: received)).save
        let exchanged = all.links(.exchange, .signing, .sharing) { request, context in
            if context.call.options.files != nil { return try await saved(request, context) }
            // A stored response is not a connection.
            if context.call.options.transport.upgrade != nil { return try await sent(request, context) }
            return try await answered(request, context)
        }
        let redirects = RedirectFollower(configuration.redirects, configuration.trustedOrigins, exchange: exchanged)
        let attempt = InterceptorChain(all.at(.attempt), exchange: redirects.follow)
        loop = AttemptLoop(
            attempt, advisers: interceptors, standardValidation: configuration.validation, timebase: timebase)
        aroundCall = InterceptorChain(all.at(.call)) { request, _ in throw NetworkError.cancelled(request) }
    }

    /// Runs a call and returns its response.
    ///
    /// - Parameter running: records the attempts, for the error of a call that is ended externally.
    func run(
        _ request: HTTPRequest,
        _ call: Call,
        in running: RunningCall<HTTPResponse>?
    ) async throws(NetworkError) -> HTTPResponse {
        if aroundCall.isEmpty { return try await loop.attempt(request, for: call, in: running) }
        let chain = aroundCall.ending { [loop] request, context in
            try await loop.attempt(request, for: context.call, in: running)
        }
        do {
            return try await chain.pass(request, context: RequestContext(call: call, attempt: 1)).marked
        } catch {
            throw .transport(error, request: request)
        }
    }
}

extension Array where Element == any RequestInterceptor {
    /// Returns the path through the interceptors of these stages, or the path after them if there are none.
    fileprivate func links(
        _ stages: InterceptorStage...,
        before rest: @escaping InterceptorChain.Exchange
    ) -> InterceptorChain.Exchange {
        let links = stages.flatMap { at($0) }
        return links.isEmpty ? rest : InterceptorChain(links, exchange: rest).pass
    }
}

extension Array where Element == any ExchangeLayer {
    /// Returns the path through the layers that can answer a request, or the path after them if there are none.
    fileprivate func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange {
        reversed().reduce(rest) { rest, layer in layer.answering(before: rest) ?? rest }
    }
}
