public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Calls endpoints below one base, without an enum of targets.
///
/// ```swift
/// let client = HTTPClient(baseURL: api)
/// let user: User = try await client.request(.get("/users/7"))
/// let avatar: Data = try await client.request(.get("/users/7/avatar"))
/// ```
/// It is a provider's engine under another surface: the same interceptors, attempts, redirects, validation and decoding.
/// A value that is cheap to copy; copies share their engine. Every awaited method runs off the caller's actor.
public struct HTTPClient: HTTPClientContract {
    /// What paths are put behind. A `TokenSource` gives its token to this origin only, unless it names others.
    public let baseURL: URL
    let engine: RequestEngine

    /// Makes a client whose interceptors run in the order given.
    ///
    /// A base that is no `http(s)` URL makes every call fail before I/O with `.invalidRequest`.
    public init(
        baseURL: URL,
        interceptors: [any RequestInterceptor] = [],
        configuration: NetworkConfiguration = .init()
    ) {
        self.baseURL = baseURL
        engine = RequestEngine(interceptors: interceptors, configuration: configuration)
    }

    /// What would be sent for an endpoint, before any interceptor; nothing is sent.
    public func urlRequest(for endpoint: Endpoint) throws(NetworkError) -> URLRequest {
        try ClientCall(.endpoint(endpoint, building: nil), below: baseURL).request(by: engine.builder.rules).urlRequest
    }

    func value<Value: Sendable>(
        of call: ClientCall,
        _ decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let request = try call.request(by: engine.builder.rules)
        return try await engine.value(of: request, CallOptions(target: call), decoding: decoding)
    }
}
