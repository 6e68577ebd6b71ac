/// An endpoint together with everything else that one call of it wants: what its answer becomes, how it is built.
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
    /// Which responses are acceptable.
    public var validation = ResponseValidation.success
    /// Limits the time without any byte in either direction; the configuration's timeout unless given.
    public var timeout: Duration?
    /// Whether a credential is needed; one is sent when there is one, unless this says otherwise.
    public var authorization = AuthorizationRequirement.optional
    /// Changes the request once, before it is checked and sent.
    ///
    /// What it throws is the call's error: as it is when it is a `NetworkError`, else as the underlying of one of kind
    /// `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)?

    public init(_ endpoint: Endpoint, decoding: ResponseDecoding<Value>) {
        self.endpoint = endpoint
        self.decoding = decoding
    }
}

extension TypedEndpoint where Value: Decodable {
    /// An endpoint whose answer is JSON.
    public init(_ endpoint: Endpoint) { self.init(endpoint, decoding: .json) }
}
