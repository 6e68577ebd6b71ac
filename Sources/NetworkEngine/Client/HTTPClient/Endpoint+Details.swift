public import Foundation

extension Endpoint {
    private mutating func change(_ change: (inout EndpointDetails.Values) -> Void) {
        var values = holder.values
        change(&values)
        holder.details = EndpointDetails(values)
    }

    private var values: EndpointDetails.Values? { holder.details?.values }

    /// The bytes of the body, sent as they are; `nil` for none. Set their `Content-Type` in `headers`.
    ///
    /// The bodies of `json(_:)`, `form(_:)` and `body(_:)` are sent in place of them. A call with `multipart(_:)` or
    /// `file(_:)` fails beside them.
    public var body: Data? {
        get { values?.compared.body }
        set { change { $0.compared.body = newValue } }
    }

    /// The limit for the time without any byte in either direction; `nil` for the configuration's timeout.
    public var timeout: Duration? {
        get { values?.compared.timeout }
        set { change { $0.compared.timeout = newValue } }
    }

    /// The limit for the whole call, with attempts and waits; `nil` for none. The configuration's own stays in force.
    public var deadline: Duration? {
        get { values?.compared.deadline }
        set { change { $0.compared.deadline = newValue } }
    }

    /// The order of requests that wait for a connection or permit; `nil` for that of the task that makes the call.
    public var priority: TransportContext.Priority? {
        get { values?.compared.priority }
        set { change { $0.compared.priority = newValue } }
    }

    /// The path with names in place of its values, such as `/users/{id}`, for metrics and traces.
    ///
    /// By default that of a literal path, such as `/users/{}`, and none for the text of a variable.
    public var template: String? {
        get { values?.compared.template ?? location.template }
        set { change { $0.compared.template = newValue } }
    }

    /// The name of a GraphQL operation, for observers.
    package var operationName: String? {
        get { values?.compared.operationName }
        set { change { $0.compared.operationName = newValue } }
    }

    /// The use of the configuration's cache; by default as HTTP defines it.
    public var cachePolicy: CachePolicy {
        get { values?.compared.cachePolicy ?? .useProtocol }
        set { change { $0.compared.cachePolicy = newValue } }
    }

    /// The redirects that are followed; by default those of the configuration.
    public var redirects: RedirectPolicy? {
        get { values?.compared.redirects }
        set { change { $0.compared.redirects = newValue } }
    }

    /// The responses that count as success; by default those of the configuration.
    public var validation: ResponseValidation {
        get { values?.validation ?? .success }
        set { change { $0.validation = newValue } }
    }

    /// Whether the call needs a credential. By default it sends a credential if one is available.
    public var authorization: AuthorizationRequirement {
        get { values?.compared.authorization ?? .optional }
        set { change { $0.compared.authorization = newValue } }
    }

    /// Changes the request once, before it is validated and sent.
    ///
    /// If it throws a `NetworkError`, the call fails with that error. Any other error becomes the underlying error of
    /// one of kind `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)? {
        get { values?.building }
        set { change { $0.building = newValue } }
    }

    /// The address that a server named for this page of the endpoint, in place of the endpoint's own.
    package var link: ServerLink? {
        get { values?.link }
        set { change { $0.link = newValue } }
    }

    /// The body, in place of `body`.
    var content: EndpointContent? {
        get { values?.content }
        set { change { $0.content = newValue } }
    }

    /// The endpoint with the address that is requested.
    package var requested: Endpoint {
        guard let link else { return self }
        var endpoint = self
        (endpoint.path, endpoint.queryItems, endpoint.link) = (link.url.absoluteString, nil, nil)
        return endpoint
    }
}
