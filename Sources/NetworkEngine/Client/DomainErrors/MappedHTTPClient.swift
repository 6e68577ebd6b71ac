/// An HTTP client that throws the app's errors.
///
/// ```swift
/// let client = HTTPClient(baseURL: api).mappingErrors(with: APIErrorMapper())
/// let user: User = try await client.request(.get("/users/7"))        // throws APIError
/// ```
/// It has every method of an `HTTPClient`. Handles, streams and events throw the app's errors, too.
///
/// A data source that a mock serves in tests takes a `MappedClient`. The same call returns one where the context asks
/// for it: `let client: MappedClient<APIErrorMapper> = HTTPClient(baseURL: api).mappingErrors(with: APIErrorMapper())`.
public struct MappedHTTPClient<Mapper: NetworkErrorMapper>: Sendable {
    /// The error that every call throws.
    public typealias Failure = Mapper.Failure

    /// The underlying client.
    public let client: HTTPClient
    /// Maps the errors of the underlying client.
    public let mapper: Mapper

    /// Returns a copy of the client with additional interceptors, which run after the existing ones.
    ///
    /// Where a list can contain a policy only once, the new policy replaces the existing one.
    public func adding(_ interceptors: any RequestInterceptor...) -> MappedHTTPClient {
        let other = HTTPClient(
            baseURL: client.baseURL,
            interceptors: client.engine.interceptors.containing(interceptors),
            configuration: client.engine.configuration
        )
        return MappedHTTPClient(client: other, mapper: mapper)
    }
}

extension HTTPClient {
    /// Returns a client that throws the errors of a mapper.
    public func mappingErrors<Mapper: NetworkErrorMapper>(with mapper: Mapper) -> MappedHTTPClient<Mapper> {
        MappedHTTPClient(client: self, mapper: mapper)
    }
}
