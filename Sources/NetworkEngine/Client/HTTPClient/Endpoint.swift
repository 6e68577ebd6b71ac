public import Foundation

/// The description of one request to an `HTTPClient`, without an enum of targets.
///
/// ```swift
/// let endpoint = Endpoint(path: "/users", queryItems: [URLQueryItem(name: "page", value: "2")])
/// let users: [User] = try await client.request(endpoint)
/// ```
/// The path is appended to the client's base URL like a target's path. A `?` in the path begins the query. An absolute
/// `http(s)` URL replaces the base URL. Query items keep their order. Everything in them except letters, digits and
/// `-._~` is percent-encoded.
public struct Endpoint: Hashable, Sendable {
    public var path: String
    public var method: HTTPMethod
    public var headers: HTTPHeaders
    public var queryItems: [URLQueryItem]?
    public var body: Data?

    public init(
        path: String,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) {
        self.path = path
        self.method = method
        self.headers = headers
        self.queryItems = queryItems
        self.body = body
    }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The method and the path. Redacts the values of query items that may be secret, and omits the body.
    public var description: String { "\(method) \(Redaction.describe(address: path))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["endpoint": description, "headers": headers.description], displayStyle: .struct)
    }
}

extension Endpoint {
    public static func get(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil
    ) -> Endpoint {
        Endpoint(path: path, headers: headers, queryItems: queryItems)
    }

    public static func head(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .head, headers: headers, queryItems: queryItems)
    }

    public static func options(_ path: String, headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .options, headers: headers)
    }

    public static func post(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .post, headers: headers, queryItems: queryItems, body: body)
    }

    public static func put(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .put, headers: headers, queryItems: queryItems, body: body)
    }

    public static func patch(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .patch, headers: headers, queryItems: queryItems, body: body)
    }

    public static func delete(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .delete, headers: headers, queryItems: queryItems, body: body)
    }

    /// Returns the endpoint with a bearer token, which replaces an existing one. A `TokenSource` does not change it.
    public func bearer(_ token: String) -> Endpoint {
        var endpoint = self
        endpoint.headers["Authorization"] = "Bearer \(token)"
        return endpoint
    }

    /// Returns the endpoint with a value as its JSON body. Sets the content type unless the endpoint has one.
    ///
    /// Throws an error of kind `.encoding` if the encoder fails.
    public func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) -> Endpoint {
        var endpoint = self
        endpoint.body = try JSONBody.data(encoding: value, with: encoder)
        if !headers.contains("Content-Type") { endpoint.headers["Content-Type"] = JSONBody.contentType }
        return endpoint
    }
}

/// An endpoint together with the decoding, validation, timeout and building of one call.
///
/// ```swift
/// typealias CommentRequest = TypedEndpoint<[Comment]>
/// let comments = try await client.request(CommentRequest(.get("/comments")))
///
/// var count = TypedEndpoint(.get("/users"), decoding: .custom { data, _ in data.count })
/// count.timeout = .seconds(3)
/// count.building = { $0.headers["X-Trace"] = "1" }
/// ```
public struct TypedEndpoint<Value: Sendable>: Sendable {
    public var endpoint: Endpoint
    public var decoding: ResponseDecoding<Value>
    /// The responses that count as success.
    public var validation = ResponseValidation.success
    /// The time limit without any byte in either direction; the configuration's timeout by default.
    public var timeout: Duration?
    /// Whether the call needs a credential. By default it sends a credential if one is available.
    public var authorization = AuthorizationRequirement.optional
    /// Changes the request once, before it is validated and sent.
    ///
    /// If it throws a `NetworkError`, the call fails with that error. Any other error becomes the underlying error of
    /// one of kind `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)?

    public init(_ endpoint: Endpoint, decoding: ResponseDecoding<Value>) {
        self.endpoint = endpoint
        self.decoding = decoding
    }
}

extension TypedEndpoint where Value: Decodable {
    /// Creates an endpoint that decodes the response as JSON.
    public init(_ endpoint: Endpoint) { self.init(endpoint, decoding: .json) }
}
