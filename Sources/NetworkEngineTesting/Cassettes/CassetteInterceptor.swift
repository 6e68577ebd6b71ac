public import NetworkEngine

/// An interceptor that plays a cassette, and lets through what is to be recorded.
///
/// It sees a call as interceptors do: redirects are followed, and what links behind it add is neither compared nor
/// recorded. Timeouts of attempts are recorded whatever the transport.
public struct CassetteInterceptor: RequestInterceptor {
    private let cassette: Cassette

    public init(_ cassette: Cassette) { self.cassette = cassette }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        try await CassetteExchange(cassette: cassette).run(request, send: next)
    }
}
