public import Dispatch
public import Foundation

/// Any client, or its mock, that throws the app's errors.
///
/// ```swift
/// struct Users {
///     let client: MappedClient<APIErrorMapper>
///     func user(_ id: Int) async throws(APIError) -> User { try await client.request(.get("/users/\(id)")) }
/// }
/// let users = Users(client: HTTPClient(baseURL: api).mappingErrors(with: APIErrorMapper()))
/// ```
/// It has the methods of an `HTTPClientContract`. A `MappedHTTPClient` has those of an `HTTPClient`.
public struct MappedClient<Mapper: NetworkErrorMapper>: Sendable {
    /// The error that every call throws.
    public typealias Failure = Mapper.Failure

    /// The underlying client.
    public let client: any HTTPClientContract
    /// Maps the errors of the underlying client.
    public let mapper: Mapper

    /// Returns the decoded body of a successful response.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ endpoint: Endpoint) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Returns the decoded body of a successful response, of the type that is named. For `Data` it returns the bytes.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint, as: type) }
    }

    /// Returns the value of an endpoint that has its own decoding, validation or building.
    @concurrent
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Returns the bytes of a successful response.
    @concurrent
    public func request(_ endpoint: Endpoint) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Returns the text of a successful response, decoded with the charset of the response.
    @concurrent
    public func string(_ endpoint: Endpoint) async throws(Failure) -> String {
        try await mapper.mapping { () throws(NetworkError) in try await client.string(endpoint) }
    }

    /// Sends a body that can be a file or a stream, in place of the endpoint's body, and returns the bytes of the
    /// response.
    @concurrent
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint, body: body) }
    }

    /// Returns the events that a server sends.
    public func events(_ endpoint: Endpoint) -> MappedSequence<ServerSentEvents, Failure> {
        mapper.mapping(client.events(endpoint))
    }

    /// Delivers the decoded body or the error on the main actor, once, after this method has returned.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        client.request(endpoint, as: type) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the decoded body or the error on a queue, once, after this method has returned.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        client.request(endpoint, as: type, queue: queue) { completion($0.mapError(mapper.map)) }
    }
}

extension MappedClient {
    /// Returns the pages of a list, beginning with an endpoint. The paging says where the next page is.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from endpoint: Endpoint,
        by paging: Paging<Page>
    ) -> MappedSequence<Pages<Page>, Failure> {
        mapper.mapping(client.pages(of: type, from: endpoint, by: paging))
    }

    /// Returns the pages of a list, which starts at an endpoint.
    ///
    /// - Parameter next: returns the endpoint of the page after a response; `nil` if that was the last one.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from endpoint: Endpoint,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Endpoint?
    ) -> MappedSequence<Pages<Page>, Failure> {
        mapper.mapping(client.pages(of: type, from: endpoint, next: next))
    }
}

extension HTTPClientContract {
    /// Returns a client that throws the errors of a mapper.
    public func mappingErrors<Mapper: NetworkErrorMapper>(with mapper: Mapper) -> MappedClient<Mapper> {
        MappedClient(client: self, mapper: mapper)
    }
}
