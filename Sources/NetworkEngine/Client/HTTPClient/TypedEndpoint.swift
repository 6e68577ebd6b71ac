import Foundation

/// An endpoint together with the decoding, validation, limits and building of one call.
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
    /// The description of the request.
    public var endpoint: Endpoint
    /// Turns the response into the value of the call.
    public var decoding: ResponseDecoding<Value>
    /// The responses that count as success.
    public var validation = ResponseValidation.success
    /// The limit for the time without any byte in either direction; by default that of the endpoint.
    public var timeout: Duration?
    /// The limit for the whole call; by default that of the endpoint. The configuration's own stays in force.
    public var deadline: Duration?
    /// Whether the call needs a credential. By default it sends a credential if one is available.
    public var authorization = AuthorizationRequirement.optional
    /// Changes the request once, before it is validated and sent.
    ///
    /// If it throws a `NetworkError`, the call fails with that error. Any other error becomes the underlying error of
    /// one of kind `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)?
    /// The address that a server named for this page of the endpoint, in place of the endpoint's own.
    package var link: PageLink?

    /// Creates an endpoint with its own decoding.
    public init(_ endpoint: Endpoint, decoding: ResponseDecoding<Value>) {
        self.endpoint = endpoint
        self.decoding = decoding
    }
}

extension TypedEndpoint where Value: Decodable {
    /// Creates an endpoint that decodes the response as JSON.
    public init(_ endpoint: Endpoint) { self.init(endpoint, decoding: .json) }
}

extension TypedEndpoint {
    /// The endpoint with the address that is requested.
    package var requested: Endpoint {
        guard let link else { return endpoint }
        var endpoint = endpoint
        (endpoint.path, endpoint.queryItems) = (link.url.absoluteString, nil)
        return endpoint
    }
}
