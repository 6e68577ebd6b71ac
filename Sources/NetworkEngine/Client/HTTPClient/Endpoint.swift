public import Foundation

/// The description of one request to an `HTTPClient`, without an enum of targets.
///
/// ```swift
/// let endpoint = Endpoint(path: "/users", queryItems: [URLQueryItem(name: "page", value: "2")])
/// let users: [User] = try await client.request(endpoint)
/// ```
/// A literal path is an ``EndpointPath``: each interpolated value remains within its segment. Text from a variable is
/// used unchanged. The path is appended to the client's base URL like a target's path. A `?` in the path starts the
/// query. An absolute `http(s)` URL replaces the base URL. Query items keep their order. Everything in them except
/// letters, digits and `-._~` is percent-encoded. The parameters of `query:` and ``query(_:_:)`` come before them.
public struct Endpoint: Hashable, Sendable {
    /// The path below the client's base URL, with an optional query after a `?`, or an absolute URL.
    ///
    /// Text that you assign is used unchanged. If the path has a segment `.` or `..`, the call throws an error of kind
    /// `.invalidRequest`, before any I/O.
    public var path: String {
        get { location.description }
        set { location = EndpointPath(newValue) }
    }
    /// The path with its template.
    package var location: EndpointPath
    /// The request method.
    public var method: HTTPMethod
    /// The request's header fields. They override those in the configuration's `headers`.
    public var headers: HTTPHeaders
    /// The items to add to the path's query; `nil` for none.
    public var queryItems: [URLQueryItem]?
    /// The parameters to add to the path's query before the items, in order.
    var parameters: [QueryParameter] = []
    /// What few endpoints have: a body, limits, response validation.
    var details = EndpointDetails()

    /// Creates an endpoint; by default a GET without headers, query and body.
    ///
    /// - Parameter body: the bytes of the body.
    public init(
        path: EndpointPath,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) {
        location = path
        self.method = method
        self.headers = headers
        self.queryItems = queryItems
        if let body { self.body = body }
    }

    /// Creates an endpoint with a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public init(
        path: some StringProtocol,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) {
        self.init(
            path: EndpointPath(String(path)), method: method, headers: headers, queryItems: queryItems, body: body)
    }

    /// Creates an endpoint with headers from a dictionary, which are sent sorted by name.
    @_disfavoredOverload
    public init(
        path: EndpointPath,
        method: HTTPMethod = .get,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) {
        self.init(
            path: path, method: method, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The method and the path. Redacts query values that may be secret, and omits the body.
    public var description: String { "\(method) \(Redaction.describe(address: path))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["endpoint": description, "headers": headers.description], displayStyle: .struct)
    }
}

extension Endpoint {
    /// The percent-encoded parameters and query items; `nil` for none.
    ///
    /// - Parameter encoder: encodes the parameters.
    func encodedQuery(by encoder: QueryEncoder) throws(NetworkError) -> String? {
        let items = Self.encoded(queryItems ?? [])
        let query = parameters.isEmpty ? "" : try encoder.encode(parameters)
        if query.isEmpty || items.isEmpty { return query.isEmpty && items.isEmpty ? nil : query + items }
        return query + "&" + items
    }

    /// The percent-encoded text of query items. An item without a value becomes a name without an equals sign.
    package static func encoded(_ items: [URLQueryItem]) -> String {
        var bytes: [UInt8] = []
        for item in items {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes.append(percentEncoding: item.name.utf8, keeping: .unreserved)
            guard let value = item.value else { continue }
            bytes.append(UInt8(ascii: "="))
            bytes.append(percentEncoding: value.utf8, keeping: .unreserved)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Endpoint {
    /// The text of the last parameter or query item with a name, if it has one value.
    package func queryValue(_ name: String) -> String? {
        if let item = queryItems?.last(where: { $0.name == name }) { return item.value }
        guard let parameter = parameters.last(where: { $0.name == name }) else { return nil }
        guard let query = try? QueryEncoder().encode([parameter]) else { return nil }
        let pairs = AddressText.pairs(of: query)
        return pairs.count == 1 ? pairs[0].value : nil
    }

    /// Replaces the parameters and query items that have the same names as some items.
    ///
    /// A parameter remains a parameter, so that the encoder converts its name as before.
    package mutating func setQuery(_ items: [URLQueryItem]) {
        let (names, old) = (Set(items.map(\.name)), Set(parameters.map(\.name)))
        parameters.removeAll { names.contains($0.name) }
        parameters += items.filter { old.contains($0.name) }.map { QueryParameter($0.name, $0.value) }
        queryItems?.removeAll { names.contains($0.name) }
        queryItems = (queryItems ?? []) + items.filter { !old.contains($0.name) }
    }

    /// Removes all parameters and query items.
    mutating func removeQuery() { (parameters, queryItems) = ([], nil) }
}
