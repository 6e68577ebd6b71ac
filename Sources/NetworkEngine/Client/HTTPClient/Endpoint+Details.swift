public import Foundation

extension Endpoint {
    /// The bytes of the body, sent unchanged; `nil` for none or for another kind of body.
    ///
    /// Set the `Content-Type` in `headers`. An endpoint has one body: the last one set.
    public var body: Data? {
        get { if case .body(.data(let bytes)) = content { bytes } else { nil } }
        set { content = newValue.map { .body(.data($0)) } }
    }

    /// The limit for the time without any bytes in either direction; `nil` for the configuration's timeout.
    public var timeout: Duration? {
        get { details.values.compared.timeout }
        set { details.values.compared.timeout = newValue }
    }

    /// The limit for the whole call, including retries and waits; `nil` for none. The configuration's deadline still
    /// applies.
    public var deadline: Duration? {
        get { details.values.compared.deadline }
        set { details.values.compared.deadline = newValue }
    }

    /// The priority while waiting for a connection or permit; `nil` for the priority of the calling task.
    public var priority: TransportContext.Priority? {
        get { details.values.compared.priority }
        set { details.values.compared.priority = newValue }
    }

    /// The path with placeholders instead of values, such as `/users/{id}`, for metrics and traces.
    ///
    /// By default it is derived from a literal path, such as `/users/{}`. A path from a variable has none.
    public var template: String? {
        get { details.values.compared.template ?? location.template }
        set { details.values.compared.template = newValue }
    }

    /// The name of a GraphQL operation, for observers.
    package var operationName: String? {
        get { details.values.compared.operationName }
        set { details.values.compared.operationName = newValue }
    }

    /// The cache policy; by default caching follows HTTP's rules.
    public var cachePolicy: CachePolicy {
        get { details.values.compared.cachePolicy }
        set { details.values.compared.cachePolicy = newValue }
    }

    /// The redirects to follow; by default as in the configuration.
    public var redirects: RedirectPolicy? {
        get { details.values.compared.redirects }
        set { details.values.compared.redirects = newValue }
    }

    /// The responses that count as success; by default as in the configuration.
    public var validation: ResponseValidation {
        get { details.values.validation ?? .success }
        set { details.values.validation = newValue }
    }

    /// Whether the call requires a credential. By default it sends one if available.
    public var authorization: AuthorizationRequirement {
        get { details.values.compared.authorization }
        set { details.values.compared.authorization = newValue }
    }

    /// Changes the request once, before it is validated and sent.
    ///
    /// If it throws a `NetworkError`, the call fails with that error. Any other error becomes the underlying error of
    /// an error of kind `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)? {
        get { details.values.building }
        set { details.values.building = newValue }
    }

    /// The server's link to this page of the endpoint, which replaces the endpoint's own address.
    package var link: ServerLink? {
        get { details.values.link }
        set { details.values.link = newValue }
    }

    /// The body.
    var content: EndpointContent? {
        get { details.values.content }
        set { details.values.content = newValue }
    }

    /// A hash of everything that determines the request; `nil` if a part is not known in advance or not in memory.
    package var hashOfRequest: Int? {
        guard building == nil else { return nil }
        var hasher = Hasher()
        hasher.combine(self)
        if let content {
            guard let known = content.known else { return nil }
            hasher.combine(all: known)
        }
        return hasher.finalize()
    }

    /// The endpoint with the address that is actually requested.
    package var requested: Endpoint {
        guard let link else { return self }
        var endpoint = self
        (endpoint.path, endpoint.link) = (link.url.absoluteString, nil)
        endpoint.removeQuery()
        return endpoint
    }
}
