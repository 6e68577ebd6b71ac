public import NetworkEngine

/// An interceptor that plays a cassette, and passes on requests to record.
///
/// Redirects are followed below it, and changes by later interceptors are neither compared nor recorded. Attempt
/// timeouts are recorded with every transport.
public struct CassetteInterceptor: RequestInterceptor {
    private let cassette: Cassette

    /// Creates an interceptor for a cassette.
    public init(_ cassette: Cassette) { self.cassette = cassette }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        try await CassetteExchange(cassette: cassette).run(request, send: next)
    }
}

extension Cassette {
    /// Returns a transport that plays this cassette, and records through another transport.
    public func transport(over live: any Transport = NetworkConfiguration().transport) -> CassetteTransport {
        CassetteTransport(self, over: live)
    }

    /// An interceptor that plays this cassette, and passes on requests to record.
    public var interceptor: CassetteInterceptor { CassetteInterceptor(self) }
}
