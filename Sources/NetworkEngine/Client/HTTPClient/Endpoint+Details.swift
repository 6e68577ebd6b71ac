public import Foundation

extension Endpoint {
    /// The bytes of the body, sent as they are; `nil` for none and for another kind of body.
    ///
    /// Set their `Content-Type` in `headers`. An endpoint has one body: what is set last.
    public var body: Data? {
        get { if case .body(.data(let bytes)) = content { bytes } else { nil } }
        set { content = newValue.map { .body(.data($0)) } }
    }

    /// The limit for the time without any byte in either direction; `nil` for the configuration's timeout.
    public var timeout: Duration? {
        get { details.values.compared.timeout }
        set { details.values.compared.timeout = newValue }
    }

    /// The limit for the whole call, with attempts and waits; `nil` for none. The configuration's own stays in force.
    public var deadline: Duration? {
        get { details.values.compared.deadline }
        set { details.values.compared.deadline = newValue }
    }

    /// The order of requests that wait for a connection or permit; `nil` for that of the task that makes the call.
    public var priority: TransportContext.Priority? {
        get { details.values.compared.priority }
        set { details.values.compared.priority = newValue }
    }

    /// The path with names in place of its values, such as `/users/{id}`, for metrics and traces.
    ///
    /// By default that of a literal path, such as `/users/{}`, and none for the text of a variable.
    public var template: String? {
        get { details.values.compared.template ?? location.template }
        set { details.values.compared.template = newValue }
    }

    /// The name of a GraphQL operation, for observers.
    package var operationName: String? {
        get { details.values.compared.operationName }
        set { details.values.compared.operationName = newValue }
    }

    /// The use of the configuration's cache; by default as HTTP defines it.
    public var cachePolicy: CachePolicy {
        get { details.values.compared.cachePolicy }
        set { details.values.compared.cachePolicy = newValue }
    }

    /// The redirects that are followed; by default those of the configuration.
    public var redirects: RedirectPolicy? {
        get { details.values.compared.redirects }
        set { details.values.compared.redirects = newValue }
    }

    /// The responses that count as success; by default those of the configuration.
    public var validation: ResponseValidation {
        get { details.values.validation ?? .success }
        set { details.values.validation = newValue }
    }

    /// Whether the call needs a credential. By default it sends a credential if one is available.
    public var authorization: AuthorizationRequirement {
        get { details.values.compared.authorization }
        set { details.values.compared.authorization = newValue }
    }

    /// Changes the request once, before it is validated and sent.
    ///
    /// If it throws a `NetworkError`, the call fails with that error. Any other error becomes the underlying error of
    /// one of kind `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)? {
        get { details.values.building }
        set { details.values.building = newValue }
    }

    /// The address that a server named for this page of the endpoint, in place of the endpoint's own.
    package var link: ServerLink? {
        get { details.values.link }
        set { details.values.link = newValue }
    }

    /// The body.
    var content: EndpointContent? {
        get { details.values.content }
        set { details.values.content = newValue }
    }

    /// The hash of all that makes the request; `nil` if a part of it is not known before, or not in memory.
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

    /// The endpoint with the address that is requested.
    package var requested: Endpoint {
        guard let link else { return self }
        var endpoint = self
        (endpoint.path, endpoint.link) = (link.url.absoluteString, nil)
        endpoint.removeQuery()
        return endpoint
    }
}
