public import Foundation

/// Endpoints by their methods.
///
/// ```swift
/// let users: [User] = try await client.request(.get("/users", query: ["page": 2, "sort": "name"]))
/// ```
extension Endpoint {
    /// The parameters of a query, in order. A name can occur more than once.
    ///
    /// ```swift
    /// let search: Endpoint.Query = ["q": text, "tags": ["new", "sale"], "since": date, "brand": nil]
    /// ```
    /// `NetworkConfiguration.queryEncoder` encodes them in the same way as the parameters of a target. A value can have
    /// any type that ``Parameters`` supports. By default `nil` is omitted. A call with another value throws an error of
    /// kind `.encoding`, before any I/O.
    public typealias Query = KeyValuePairs<String, (any Sendable)?>

    /// A GET request.
    public static func get(
        _ path: EndpointPath,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, headers: headers, queryItems: queryItems, timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy
        ).adding(query)
    }

    /// A HEAD request.
    public static func head(
        _ path: EndpointPath,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .head, headers: headers, queryItems: queryItems, timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy
        ).adding(query)
    }

    /// An OPTIONS request.
    public static func options(
        _ path: EndpointPath,
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
        _ path: EndpointPath,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .post, headers: headers, queryItems: queryItems, body: body, timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy
        ).adding(query)
    }

    /// A PUT request.
    public static func put(
        _ path: EndpointPath,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .put, headers: headers, queryItems: queryItems, body: body, timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy
        ).adding(query)
    }

    /// A PATCH request.
    public static func patch(
        _ path: EndpointPath,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .patch, headers: headers, queryItems: queryItems, body: body, timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy
        ).adding(query)
    }

    /// A DELETE request.
    public static func delete(
        _ path: EndpointPath,
        query: Query = [:],
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        Endpoint(
            path: path, method: .delete, headers: headers, queryItems: queryItems, body: body, timeout: timeout,
            deadline: deadline, cachePolicy: cachePolicy
        ).adding(query)
    }
}

extension Endpoint {
    fileprivate func adding(_ query: Query) -> Endpoint {
        if query.isEmpty { return self }
        var endpoint = self
        endpoint.parameters = query.map { QueryParameter($0.key, $0.value) }
        return endpoint
    }
}

// The same with the headers of a dictionary, which are sent sorted by name. A literal must stay an `HTTPHeaders`, which
// can contain a name twice. Swift 6.3 would prefer an overload for `[String: String]` despite the attribute, and a name
// that occurs twice would then end the process. It does not prefer one for the optional.
extension Endpoint {
    /// A GET request.
    @_disfavoredOverload
    public static func get(_ path: EndpointPath, headers: [String: String]?, queryItems: [URLQueryItem]? = nil)
        -> Endpoint
    {
        .get(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems)
    }

    /// A HEAD request.
    @_disfavoredOverload
    public static func head(_ path: EndpointPath, headers: [String: String]?, queryItems: [URLQueryItem]? = nil)
        -> Endpoint
    {
        .head(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems)
    }

    /// An OPTIONS request.
    @_disfavoredOverload
    public static func options(_ path: EndpointPath, headers: [String: String]?) -> Endpoint {
        .options(path, headers: HTTPHeaders(declared: headers))
    }

    /// A POST request.
    @_disfavoredOverload
    public static func post(
        _ path: EndpointPath,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .post(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }

    /// A PUT request.
    @_disfavoredOverload
    public static func put(
        _ path: EndpointPath,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .put(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }

    /// A PATCH request.
    @_disfavoredOverload
    public static func patch(
        _ path: EndpointPath,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .patch(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }

    /// A DELETE request.
    @_disfavoredOverload
    public static func delete(
        _ path: EndpointPath,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .delete(path, headers: HTTPHeaders(declared: headers), queryItems: queryItems, body: body)
    }
}
