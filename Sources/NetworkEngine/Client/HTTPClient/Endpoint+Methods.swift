public import Foundation

/// Endpoints by their methods.
///
/// ```swift
/// let users: [User] = try await client.request(.get("/users", query: ["page": 2, "sort": "name"]))
/// ```
extension Endpoint {
    /// The items of a query, in order.
    public typealias Query = KeyValuePairs<String, any CustomStringConvertible & Sendable>

    private static func items(_ query: Query, _ items: [URLQueryItem]?) -> [URLQueryItem]? {
        if query.isEmpty { return items }
        return query.map { URLQueryItem(name: $0.key, value: $0.value.description) } + (items ?? [])
    }

    /// A GET request.
    public static func get(
        _ path: Path,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, headers: headers, queryItems: items(query, queryItems), timeout: timeout, deadline: deadline,
            cachePolicy: cachePolicy)
    }

    /// A HEAD request.
    public static func head(
        _ path: Path,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .head, headers: headers, queryItems: items(query, queryItems), timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy)
    }

    /// An OPTIONS request.
    public static func options(
        _ path: Path,
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .options, headers: headers, timeout: timeout, deadline: deadline,
            cachePolicy: cachePolicy)
    }

    /// A POST request.
    public static func post(
        _ path: Path,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .post, headers: headers, queryItems: items(query, queryItems), body: body,
            timeout: timeout, deadline: deadline, cachePolicy: cachePolicy)
    }

    /// A PUT request.
    public static func put(
        _ path: Path,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .put, headers: headers, queryItems: items(query, queryItems), body: body,
            timeout: timeout, deadline: deadline, cachePolicy: cachePolicy)
    }

    /// A PATCH request.
    public static func patch(
        _ path: Path,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .patch, headers: headers, queryItems: items(query, queryItems), body: body,
            timeout: timeout, deadline: deadline, cachePolicy: cachePolicy)
    }

    /// A DELETE request.
    public static func delete(
        _ path: Path,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .delete, headers: headers, queryItems: items(query, queryItems), body: body,
            timeout: timeout, deadline: deadline, cachePolicy: cachePolicy)
    }
}

// The same with the headers of a dictionary, which are sent sorted by name. A literal must stay an `HTTPHeaders`, which
// can contain a name twice. Swift 6.3 would prefer an overload for `[String: String]` despite the attribute, and a name
// that occurs twice would then end the process. It does not prefer one for the optional.
extension Endpoint {
    /// A GET request.
    @_disfavoredOverload
    public static func get(_ path: Path, headers: [String: String]?, queryItems: [URLQueryItem]? = nil) -> Endpoint {
        .get(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems)
    }

    /// A HEAD request.
    @_disfavoredOverload
    public static func head(_ path: Path, headers: [String: String]?, queryItems: [URLQueryItem]? = nil) -> Endpoint {
        .head(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems)
    }

    /// An OPTIONS request.
    @_disfavoredOverload
    public static func options(_ path: Path, headers: [String: String]?) -> Endpoint {
        .options(path, headers: HTTPHeaders(declared: headers))
    }

    /// A POST request.
    @_disfavoredOverload
    public static func post(
        _ path: Path,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .post(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }

    /// A PUT request.
    @_disfavoredOverload
    public static func put(
        _ path: Path,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .put(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }

    /// A PATCH request.
    @_disfavoredOverload
    public static func patch(
        _ path: Path,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .patch(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }

    /// A DELETE request.
    @_disfavoredOverload
    public static func delete(
        _ path: Path,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .delete(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }
}
