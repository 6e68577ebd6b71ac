// Overloads for likely mistakes. Without them the compiler answers “no exact matches”, or with a message about another
// method.

extension NetworkCalling where Request == Endpoint {
    /// A path alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.get(\"/users\")'.")
    @concurrent
    public func request<T>(_ path: String) async throws(Failure) -> T { throw failure(for: .isNotEndpoint) }

    /// A path alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.delete(\"/users/7\")'.")
    @concurrent
    @discardableResult
    public func send(_ path: String) async throws(Failure) -> HTTPResponse { throw failure(for: .isNotEndpoint) }
}

extension NetworkCalling {
    /// A callback without a type does not say what to decode.
    @available(
        *, unavailable,
        message: "The call names no type to decode. Write 'request(…, as: User.self) { result in … }'."
    )
    @discardableResult
    public func request(
        _ request: Request,
        completion: @escaping @MainActor @Sendable (Result<Any, Failure>) -> Void
    ) -> any NetworkRequest {
        self.request(request, as: Empty.self) { _ in }
    }

    /// A type that is not `Decodable` needs a decoding.
    @available(*, unavailable, message: "The type is not Decodable. Conform it, or pass a decoding.")
    @_disfavoredOverload
    public func request<Value>(_ request: Request, as type: Value.Type = Value.self) async throws(Failure) -> Value {
        throw failure(for: NetworkError(kind: .unsupported, reason: "a type is not Decodable"))
    }
}

extension NetworkError {
    fileprivate static var isNotEndpoint: NetworkError {
        NetworkError(kind: .invalidRequest, reason: "a path is not an endpoint")
    }
}
