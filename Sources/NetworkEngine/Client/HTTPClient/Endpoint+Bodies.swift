public import Foundation

/// Modifiers for a single call. Each returns a copy.
///
/// ```swift
/// let page: [User] = try await client.request(.get("/users").query("page", 2).header("X-Tenant", tenant))
/// try await client.request(.post("/users").json(draft).timeout(.seconds(5)))
/// ```
extension Endpoint {
    /// Returns the endpoint with another query parameter.
    ///
    /// `NetworkConfiguration.queryEncoder` encodes it like a target's parameter. The value can have any type that
    /// ``Parameters`` supports. By default `nil` is omitted.
    public func query(_ name: String, _ value: (any Sendable)?) -> Endpoint {
        changed { $0.parameters.append(QueryParameter(name, value)) }
    }

    /// Returns the endpoint with query parameters from a dictionary, sorted by name.
    public func query(_ parameters: Parameters) -> Endpoint {
        let sorted = parameters.sorted(byText: { $0.key })
        return changed { $0.parameters += sorted.map { QueryParameter($0.key, $0.value) } }
    }

    /// Returns the endpoint with a header field, which replaces existing fields with the same name.
    public func header(_ name: String, _ value: String) -> Endpoint { changed { $0.headers[name] = value } }

    /// Returns the endpoint with a bearer token, which replaces an existing one. A `TokenSource` does not change it.
    public func bearer(_ token: String) -> Endpoint { header("Authorization", "Bearer \(token)") }

    /// Returns the endpoint with a limit for the time without any bytes in either direction.
    public func timeout(_ timeout: Duration) -> Endpoint { changed { $0.timeout = timeout } }

    /// Returns the endpoint with a limit for the whole call.
    public func deadline(_ deadline: Duration) -> Endpoint { changed { $0.deadline = deadline } }

    /// Returns the endpoint with a different cache policy.
    public func cachePolicy(_ policy: CachePolicy) -> Endpoint { changed { $0.cachePolicy = policy } }

    /// Returns the endpoint with a value as its JSON body. Sets the JSON content type, unless the endpoint has one.
    ///
    /// The value is encoded when the request is sent. If the encoder fails, the call throws an error of kind
    /// `.encoding`.
    ///
    /// - Parameter encoder: encodes the value; by default the configuration's encoder.
    public func json(_ value: some Encodable & Sendable, encoder: JSONEncoder? = nil) -> Endpoint {
        with(.json(value, encoder))
    }

    /// Returns the endpoint with form fields as its body, in order. Sets the form content type, unless the endpoint has
    /// one.
    public func form(_ fields: KeyValuePairs<String, String>) -> Endpoint {
        with(.form(fields.map { ($0.key, $0.value) }))
    }

    /// Returns the endpoint with form fields as its body, in order. A name can occur more than once.
    public func form(_ fields: [(String, String)]) -> Endpoint { with(.form(fields)) }

    /// Returns the endpoint with form fields as its body, sorted by name.
    ///
    /// The dictionary is optional so that Swift does not prefer this method for a literal.
    @_disfavoredOverload
    public func form(_ fields: [String: String]?) -> Endpoint {
        with(.form((fields ?? [:]).sorted(byText: { $0.key }).map { ($0.key, $0.value) }))
    }

    /// Returns the endpoint with a multipart form as its body. The parts can be files and streams.
    ///
    /// ```swift
    /// let photo = MultipartFormData(provider: .file(url), name: "photo")
    /// let user: User = try await client.upload(.post("/users").multipart([.text("Ada", name: "name"), photo]))
    /// ```
    public func multipart(_ parts: [MultipartFormData]) -> Endpoint { with(.multipart(parts)) }

    /// Returns the endpoint with a file as its body. The file extension determines the content type, unless the
    /// endpoint has one.
    public func file(_ file: URL) -> Endpoint { with(.file(file)) }

    /// Returns the endpoint with a body that can be a file or a stream.
    public func body(_ body: RequestBody) -> Endpoint { with(.body(body)) }

    /// Returns the endpoint with bytes as its body.
    public func body(_ bytes: Data) -> Endpoint { with(.body(.data(bytes))) }

    private func with(_ content: EndpointContent) -> Endpoint { changed { $0.content = content } }

    private func changed(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = self
        change(&endpoint)
        return endpoint
    }
}
