extension RequestEngine {
    /// Returns a request as its interceptors' `adapt` hooks leave it, in the order of a call. Sends nothing.
    ///
    /// A hook can refresh a credential, and so make other calls. The deadline limits the time of all hooks.
    package func adapted(
        _ request: HTTPRequest,
        _ options: CallOptions
    ) async throws(NetworkError) -> HTTPRequest {
        var (request, options) = (request, options)
        try complete(&request, &options)
        options.attemptLimit = 1
        let context = RequestContext(call: Call(options), attempt: 1)
        do {
            let all = interceptors + configuration.exchangeInterceptors
            return try await InterceptorChain.adapted(request, by: all, context: context)
        } catch {
            throw .transport(error, request: request)
        }
    }
}

extension NetworkConfiguration {
    /// The interceptors that the configuration adds to those of a client, after them.
    var exchangeInterceptors: [any RequestInterceptor] { parts.layers.flatMap(\.interceptors) }
}
