public import Foundation

/// What an ad-hoc call asks for, without an enum of targets.
///
/// ```swift
/// let endpoint = Endpoint(path: "/users", queryItems: [URLQueryItem(name: "page", value: "2")])
/// let users: [User] = try await client.request(endpoint)
/// ```
/// The path is put behind the client's base as a target's is: a `?` in it begins a query, an absolute `http(s)` URL
/// replaces the base. Query items keep their order, and everything but letters, digits and `-._~` is escaped in them.
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
    /// Method and path, without body, and without the values of query items that are not known to be harmless.
    public var description: String { "\(method) \(Redaction.describe(address: path))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["endpoint": description, "headers": headers.description], displayStyle: .struct)
    }
}
