import Foundation

/// An endpoint together with the decoding of its response.
///
/// ```swift
/// typealias CommentRequest = TypedEndpoint<[Comment]>
/// let comments = try await client.request(CommentRequest(.get("/comments")))
///
/// var count = TypedEndpoint(.get("/users"), decoding: .custom { data, _ in data.count })
/// count.timeout = .seconds(3)
/// count.building = { $0.headers["X-Trace"] = "1" }
/// ```
/// It also has the endpoint's properties.
@dynamicMemberLookup
public struct TypedEndpoint<Value: Sendable>: Sendable {
    /// The description of the request.
    public var endpoint: Endpoint
    /// Decodes the response into the call's value.
    public var decoding: ResponseDecoding<Value>

    /// Creates an endpoint with its own decoding.
    public init(_ endpoint: Endpoint, decoding: ResponseDecoding<Value>) {
        self.endpoint = endpoint
        self.decoding = decoding
    }

    /// A property of the endpoint.
    public subscript<Member>(dynamicMember member: WritableKeyPath<Endpoint, Member>) -> Member {
        get { endpoint[keyPath: member] }
        set { endpoint[keyPath: member] = newValue }
    }
}

extension TypedEndpoint where Value: Decodable {
    /// Creates an endpoint that decodes the response as JSON.
    public init(_ endpoint: Endpoint) { self.init(endpoint, decoding: .json) }
}
