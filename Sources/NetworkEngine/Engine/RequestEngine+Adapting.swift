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
