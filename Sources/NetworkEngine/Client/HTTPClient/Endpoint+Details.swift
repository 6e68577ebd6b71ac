import Foundation

extension Endpoint {
    private mutating func change(_ change: (inout EndpointDetails.Values) -> Void) {
        var values = EndpointDetails.Values(details)
        change(&values)
        holder.details = EndpointDetails(values)
    }

    private var details: EndpointDetails? { holder.details }

    /// The responses that count as success; by default those of the configuration.
    public var validation: ResponseValidation {
        get { details?.validation ?? .success }
        set { change { $0.validation = newValue } }
    }

    /// Whether the call needs a credential. By default it sends a credential if one is available.
    public var authorization: AuthorizationRequirement {
        get { details?.authorization ?? .optional }
        set { change { $0.authorization = newValue } }
    }

    /// Changes the request once, before it is validated and sent.
    ///
    /// If it throws a `NetworkError`, the call fails with that error. Any other error becomes the underlying error of
    /// one of kind `.invalidRequest`.
    public var building: (@Sendable (inout HTTPRequest) throws -> Void)? {
        get { details?.building }
        set { change { $0.building = newValue } }
    }

    /// The address that a server named for this page of the endpoint, in place of the endpoint's own.
    package var link: PageLink? {
        get { details?.link }
        set { change { $0.link = newValue } }
    }

    /// The body, in place of `body`.
    var content: EndpointContent? {
        get { details?.content }
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
