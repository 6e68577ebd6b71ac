/// Endpoints by method.
///
/// ```swift
/// let users: [User] = try await client.request(.get("/users", query: ["page": 2, "sort": "name"]))
/// let user: User = try await client.request(.post("/users").json(draft).timeout(.seconds(5)))
/// ```
extension Endpoint {
    /// Query parameters, in order. A name can occur more than once.
    ///
    /// ```swift
    /// let search: Endpoint.Query = ["q": text, "tags": ["new", "sale"], "since": date, "brand": nil]
    /// ```
    /// `NetworkConfiguration.queryEncoder` encodes them like a target's parameters. A value can have any type that
    /// ``Parameters`` supports. By default `nil` is omitted. A value of any other type makes the call throw an error of
    /// kind `.encoding`, before any I/O.
    public typealias Query = KeyValuePairs<String, (any Sendable)?>

    /// A GET request.
    public static func get(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, headers: headers).adding(query)
    }

    /// A HEAD request.
    public static func head(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .head, headers: headers).adding(query)
    }

    /// An OPTIONS request.
    public static func options(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .options, headers: headers).adding(query)
    }

    /// A POST request.
    public static func post(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .post, headers: headers).adding(query)
    }

    /// A PUT request.
    public static func put(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .put, headers: headers).adding(query)
    }

    /// A PATCH request.
    public static func patch(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .patch, headers: headers).adding(query)
    }

    /// A DELETE request.
    public static func delete(_ path: EndpointPath, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .delete, headers: headers).adding(query)
    }

    private func adding(_ query: Query) -> Endpoint {
        if query.isEmpty { return self }
        var endpoint = self
        endpoint.parameters = query.map { QueryParameter($0.key, $0.value) }
        return endpoint
    }
}

// The same with a variable's text as the path. It is used unchanged, so a value in it can add segments and a query.
// Literals prefer `EndpointPath`. The text is generic because Swift 6.3 would prefer a `String` for a literal.
extension Endpoint {
    /// A GET request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func get(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        .get(EndpointPath(String(path)), query: query, headers: headers)
    }

    /// A HEAD request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func head(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        .head(EndpointPath(String(path)), query: query, headers: headers)
    }

    /// An OPTIONS request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func options(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint
    {
        .options(EndpointPath(String(path)), query: query, headers: headers)
    }

    /// A POST request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func post(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        .post(EndpointPath(String(path)), query: query, headers: headers)
    }

    /// A PUT request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func put(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        .put(EndpointPath(String(path)), query: query, headers: headers)
    }

    /// A PATCH request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func patch(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        .patch(EndpointPath(String(path)), query: query, headers: headers)
    }

    /// A DELETE request to a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public static func delete(_ path: some StringProtocol, query: Query = [:], headers: HTTPHeaders = [:]) -> Endpoint {
        .delete(EndpointPath(String(path)), query: query, headers: headers)
    }
}
