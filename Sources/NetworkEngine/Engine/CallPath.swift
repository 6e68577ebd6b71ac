/// The way of a call from its caller to the transport.
struct CallPath: Sendable {
    /// The links around all attempts. What follows them is the loop of the call.
    let aroundCall: InterceptorChain
    /// Makes attempts, each of which passes the rest of the way.
    let loop: AttemptLoop

    /// The whole order is here. Each step gets what it passes the request to.
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
        // A limit counts a download until its file is complete. A file that comes from the cache passes none.
        let received = all.links(.sending, before: DownloadReceiving(next: runner.exchange).receive)
        let saved = DownloadSaving(next: layers.answering(before: received)).save
        let exchanged = all.links(.exchange, .signing, .sharing) { request, context in
            if context.call.options.files != nil { return try await saved(request, context) }
            // A stored response is no connection.
            if context.call.options.transport.upgrade != nil { return try await sent(request, context) }
            return try await answered(request, context)
        }
        let redirects = RedirectFollower(configuration.redirects, configuration.trustedOrigins, exchange: exchanged)
        let attempt = InterceptorChain(all.at(.attempt), exchange: redirects.follow)
        loop = AttemptLoop(
            attempt, advisers: interceptors, standardValidation: configuration.validation, timebase: timebase)
        aroundCall = InterceptorChain(all.at(.call)) { request, _ in throw NetworkError.cancelled(request) }
    }

    /// Runs a call, and returns its response.
    ///
    /// - Parameter running: records the attempts, for the error of a call that is ended from outside.
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
    /// Returns the way through the interceptors of these stages; that behind them if there are none.
    fileprivate func links(
        _ stages: InterceptorStage...,
        before rest: @escaping InterceptorChain.Exchange
    ) -> InterceptorChain.Exchange {
        let links = stages.flatMap { at($0) }
        return links.isEmpty ? rest : InterceptorChain(links, exchange: rest).pass
    }
}

extension Array where Element == any ExchangeLayer {
    /// Returns the way through the layers that can answer a request; that behind them if there are none.
    fileprivate func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange {
        reversed().reduce(rest) { rest, layer in layer.answering(before: rest) ?? rest }
    }
}
