// Overloads for likely mistakes. Without them the compiler answers “no exact matches”, or with a message about another
// method.

extension HTTPClientContract {
    /// A path alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.get(\"/users\")'.")
    @concurrent
    public func request<T>(_ path: String) async throws(NetworkError) -> T { throw .isNotEndpoint }

    /// A callback without a type does not say what to decode.
    @available(
        *, unavailable,
        message: "The call names no type to decode. Write 'client.request(endpoint, as: User.self) { result in … }'."
    )
    @discardableResult
    public func request(
        _ endpoint: Endpoint,
        completion: @escaping @MainActor @Sendable (Result<Any, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(endpoint, as: Empty.self) { _ in }
    }
}

extension HTTPClient {
    /// A path alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.delete(\"/users/7\")'.")
    @concurrent
    @discardableResult
    public func send(_ path: String) async throws(NetworkError) -> HTTPResponse { throw .isNotEndpoint }
}

extension NetworkError {
    fileprivate static var isNotEndpoint: NetworkError {
        NetworkError(kind: .invalidRequest, reason: "a path is not an endpoint")
    }
}
