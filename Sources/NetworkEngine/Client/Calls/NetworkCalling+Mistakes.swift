public import Foundation

// Overloads for likely mistakes. Without them the compiler reports “no exact matches”, or an error about another
// method.

extension NetworkCalling where Request == Endpoint {
    /// A path alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.get(\"/users\")'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<T>(_ path: String) async throws(Failure) -> T { throw failure(for: .isNotEndpoint) }

    /// A path and a method are an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.post(\"/users\")'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<T>(_ path: String, method: HTTPMethod) async throws(Failure) -> T {
        throw failure(for: .isNotEndpoint)
    }

    /// A URL alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint: '.get(\"/users\")', or '.get(url.absoluteString)'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<T>(_ url: URL) async throws(Failure) -> T { throw failure(for: .isNotEndpoint) }

    /// A path alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint, which has a method and a path: '.delete(\"/users/7\")'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func send(_ path: String) async throws(Failure) -> HTTPResponse { throw failure(for: .isNotEndpoint) }

    /// The endpoint has the body.
    @available(*, unavailable, message: "Add the body to the endpoint: 'send(.post(path).json(value))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func send(_ endpoint: Endpoint, body: some Encodable) async throws(Failure) -> HTTPResponse {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the body.
    @available(*, unavailable, message: "Add the body to the endpoint: 'send(.post(path).json(value))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func send(_ endpoint: Endpoint, json: some Encodable) async throws(Failure) -> HTTPResponse {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the body.
    @available(*, unavailable, message: "Add the body to the endpoint: 'request(.post(path).json(value))'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<T>(_ endpoint: Endpoint, json: some Encodable) async throws(Failure) -> T {
        throw failure(for: .isNotEndpoint)
    }

    // The value is an existential: the compiler can't choose between two generic methods by their result.
    /// The endpoint has the body.
    @available(*, unavailable, message: "Add the body to the endpoint: 'request(.post(path).json(value))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func request(_ endpoint: Endpoint, json: any Encodable) async throws(Failure) -> Data {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the body.
    @available(*, unavailable, message: "Add the body to the endpoint: 'request(.post(path).body(body))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(Failure) -> Data {
        throw failure(for: .isNotEndpoint)
    }

    /// A URL alone is not an endpoint.
    @available(*, unavailable, message: "Pass an endpoint: 'data(.get(\"/users\"))', or '.get(url.absoluteString)'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func data(from url: URL) async throws(Failure) -> (Data, HTTPResponse) {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the bytes.
    @available(*, unavailable, message: "Add the bytes to the endpoint: 'upload(.post(path).body(data))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func upload(_ endpoint: Endpoint, data: Data) async throws(Failure) -> HTTPResponse {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the bytes.
    @available(*, unavailable, message: "Add the bytes to the endpoint: 'upload(.post(path).body(data))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func upload(_ endpoint: Endpoint, from data: Data) async throws(Failure) -> HTTPResponse {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the parts.
    @available(*, unavailable, message: "Add the parts to the endpoint: 'upload(.post(path).multipart(parts))'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func upload<T>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: T.Type = T.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> T {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the parts.
    @available(*, unavailable, message: "Add the parts to the endpoint: 'upload(.post(path).multipart(parts))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Data {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the file.
    @available(*, unavailable, message: "Add the file to the endpoint: 'upload(.post(path).file(url))'.")
    @concurrent
    @_alwaysEmitIntoClient
    public func upload<T>(
        _ endpoint: Endpoint,
        file: URL,
        as type: T.Type = T.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> T {
        throw failure(for: .isNotEndpoint)
    }

    /// The endpoint has the file.
    @available(*, unavailable, message: "Add the file to the endpoint: 'upload(.post(path).file(url))'.")
    @concurrent
    @discardableResult
    @_alwaysEmitIntoClient
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Data {
        throw failure(for: .isNotEndpoint)
    }

    /// A destination also defines what happens to an existing file.
    @available(
        *, unavailable, message: "Name the file or its folder: 'to: .file(at: url)' or 'to: .suggested(in: folder)'."
    )
    @concurrent
    @_alwaysEmitIntoClient
    public func download(_ endpoint: Endpoint, to url: URL) async throws(Failure) -> URL {
        throw failure(for: .isNotEndpoint)
    }

    /// An endpoint has the method.
    @available(*, unavailable, message: "Pass an endpoint to a call: 'request(.get(\"/users\"))'.")
    @_alwaysEmitIntoClient
    public var get: MistakenCall { MistakenCall() }

    /// An endpoint has the method.
    @available(*, unavailable, message: "Pass an endpoint to a call: 'request(.post(\"/users\").json(value))'.")
    @_alwaysEmitIntoClient
    public var post: MistakenCall { MistakenCall() }

    /// An endpoint has the method.
    @available(*, unavailable, message: "Pass an endpoint to a call: 'request(.put(\"/users/7\").json(value))'.")
    @_alwaysEmitIntoClient
    public var put: MistakenCall { MistakenCall() }

    /// An endpoint has the method.
    @available(*, unavailable, message: "Pass an endpoint to a call: 'request(.patch(\"/users/7\").json(value))'.")
    @_alwaysEmitIntoClient
    public var patch: MistakenCall { MistakenCall() }

    /// An endpoint has the method.
    @available(*, unavailable, message: "Pass an endpoint to a call: 'send(.delete(\"/users/7\"))'.")
    @_alwaysEmitIntoClient
    public var delete: MistakenCall { MistakenCall() }
}

/// A call to a method that does not exist, with any arguments and any result.
@_documentation(visibility: internal)
@dynamicCallable
@dynamicMemberLookup
public struct MistakenCall {
    @usableFromInline init() {}

    /// A call with a type.
    @_disfavoredOverload
    public func dynamicallyCall<T>(withKeywordArguments arguments: KeyValuePairs<String, Any>) async throws -> T {
        throw NetworkError.isNotEndpoint
    }

    /// A call without a type.
    @discardableResult
    public func dynamicallyCall(
        withKeywordArguments arguments: KeyValuePairs<String, Any>
    ) async throws -> MistakenCall {
        throw NetworkError.isNotEndpoint
    }

    /// A property of the result.
    public subscript(dynamicMember name: String) -> MistakenCall { self }
}

extension NetworkCalling where Request: TargetType {
    /// A target has the destination.
    @available(
        *, unavailable, message: "The target's task has the destination: '.downloadDestination(.file(at: url))'."
    )
    @concurrent
    @_alwaysEmitIntoClient
    public func download(_ target: Request, to url: URL) async throws(Failure) -> URL {
        throw failure(for: .isNotEndpoint)
    }

    /// A target has the destination.
    @available(
        *, unavailable, message: "The target's task has the destination: '.downloadDestination(.file(at: url))'."
    )
    @concurrent
    @_alwaysEmitIntoClient
    public func download(_ target: Request, to destination: DownloadDestination) async throws(Failure) -> URL {
        throw failure(for: .isNotEndpoint)
    }
}

extension NetworkCalling {
    /// A callback without a type does not specify what to decode.
    @available(
        *, unavailable,
        message: "The call names no type to decode. Write 'request(…, as: User.self) { result in … }'."
    )
    @discardableResult
    @_alwaysEmitIntoClient
    public func request(
        _ request: Request,
        completion: @escaping @MainActor @Sendable (Result<Any, Failure>) -> Void
    ) -> any NetworkRequest {
        self.request(request, as: EmptyBody.self) { _ in }
    }

    /// The type to decode has another label.
    @available(*, unavailable, renamed: "request(_:as:)")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<Value>(_ request: Request, type: Value.Type) async throws(Failure) -> Value {
        throw failure(for: .isNotEndpoint)
    }

    /// The type to decode has another label.
    @available(*, unavailable, renamed: "request(_:as:)")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<Value>(_ request: Request, of type: Value.Type) async throws(Failure) -> Value {
        throw failure(for: .isNotEndpoint)
    }

    /// The type to decode has a label.
    @available(*, unavailable, renamed: "request(_:as:)")
    @concurrent
    @_alwaysEmitIntoClient
    public func request<Value>(_ request: Request, _ type: Value.Type) async throws(Failure) -> Value {
        throw failure(for: .isNotEndpoint)
    }

    /// A type that is not `Decodable` needs a decoding.
    @available(*, unavailable, message: "The type is not Decodable. Conform it, or pass a decoding.")
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func request<Value>(_ request: Request, as type: Value.Type = Value.self) async throws(Failure) -> Value {
        throw failure(for: NetworkError(kind: .unsupported, reason: "a type is not Decodable"))
    }
}

extension NetworkError {
    @usableFromInline static var isNotEndpoint: NetworkError {
        NetworkError(kind: .invalidRequest, reason: "a path is not an endpoint")
    }
}
