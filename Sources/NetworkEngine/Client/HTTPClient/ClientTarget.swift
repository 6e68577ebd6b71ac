import Foundation

/// The target that describes a client's call, so that interceptors handle clients and providers alike.
///
/// An object, because a call passes it through many stack frames.
final class ClientTarget: OperationTarget {
    /// The description that the request is made from.
    enum Source: Sendable {
        case endpoint(Endpoint)
        /// A request to the address that it contains.
        case prepared(HTTPRequest)
    }

    let source: Source
    let baseURL: URL
    let task: NetworkTask
    /// Encodes JSON bodies without an encoder of their own.
    private let jsonEncoder: JSONEncoder

    init(
        _ source: Source,
        below base: URL,
        task: NetworkTask = .requestPlain,
        jsonEncoder: JSONEncoder = JSONEncoder()
    ) {
        self.source = source
        baseURL = base
        self.task = task
        self.jsonEncoder = jsonEncoder
    }

    var timeout: Duration? { endpoint?.timeout }
    var deadline: Duration? { endpoint?.deadline }
    var validation: ResponseValidation { endpoint?.validation ?? .success }
    var authorization: AuthorizationRequirement { endpoint?.authorization ?? .optional }
    var cachePolicy: CachePolicy { endpoint?.cachePolicy ?? .useProtocol }

    var path: Path {
        switch source {
        case .endpoint(let endpoint): endpoint.location
        case .prepared(let request): Path(request.url.absoluteString)
        }
    }

    var method: HTTPMethod {
        switch source {
        case .endpoint(let endpoint): endpoint.method
        case .prepared(let request): request.method
        }
    }

    var headers: HTTPHeaders {
        switch source {
        case .endpoint(let endpoint): endpoint.headers
        case .prepared(let request): request.headers
        }
    }

    var priority: TransportContext.Priority { endpoint?.priority ?? .ofCurrentTask }
    var template: String? { endpoint?.template }
    var redirects: RedirectPolicy? { endpoint?.redirects }
    var operationName: String? { endpoint?.operationName }

    private var endpoint: Endpoint? {
        if case .endpoint(let endpoint) = source { endpoint } else { nil }
    }

    /// Builds and validates the request below a base. Throws for an invalid request, before any I/O.
    func request(
        by rules: RequestRules,
        below base: URL,
        for use: RequestBuilder.Use = .request
    ) throws(NetworkError) -> HTTPRequest {
        var request: HTTPRequest
        switch source {
        case .prepared(let prepared):
            request = prepared
            request.secrets = rules.secrets
        case .endpoint(let endpoint):
            request = try rules.request(
                endpoint.method,
                base: base,
                path: endpoint.location,
                query: endpoint.encodedQuery,
                headers: endpoint.headers,
                timeout: endpoint.timeout
            )
            request.body = endpoint.body.map(RequestBody.data) ?? .none
            if let content = endpoint.content { try add(content, to: &request) }
            try follow(endpoint.link, with: endpoint.building, by: rules, &request)
        }
        try request.validate()
        if use == .upload, request.body.isNone {
            throw NetworkError(kind: .invalidRequest, reason: "there is no body to upload", request: request)
        }
        return request
    }

    /// Applies the changes of the endpoint, and changes the address to one that a server named.
    ///
    /// At an origin that the server chose, what the endpoint adds is subject to the same rules as the rest.
    private func follow(
        _ link: ServerLink?,
        with building: (@Sendable (inout HTTPRequest) throws -> Void)?,
        by rules: RequestRules,
        _ request: inout HTTPRequest
    ) throws(NetworkError) {
        let isForeign = link.map { !rules.isTrusted($0.url) && !$0.url.hasSameOrigin(as: request.url) } ?? false
        if isForeign, let building { try Self.apply(building, to: &request) }
        if let link { request = try request.following(link, by: rules) }
        if !isForeign, let building { try Self.apply(building, to: &request) }
    }

    private func add(_ content: EndpointContent, to request: inout HTTPRequest) throws(NetworkError) {
        let encoder = jsonEncoder
        switch content {
        case .body(let body): request.body = body
        case .file(let file): request = try request.adding(file: file)
        case .multipart(let parts): request = try request.adding(multipart: parts, jsonEncoder: encoder)
        case .json(let value, let own):
            request.body = .none
            let data = try JSONBody.data(encoding: value, with: own ?? encoder)
            request = try request.adding(body: data, contentType: JSONBody.contentType)
        case .form(let fields):
            request.body = .none
            let text = QueryEncoder().encode(fields: fields.map { ($0.key, $0.value) })
            request = try request.adding(body: Data(text.utf8), contentType: FormParameterEncoding.contentType)
        }
    }

    private static func apply(
        _ building: (inout HTTPRequest) throws -> Void,
        to request: inout HTTPRequest
    ) throws(NetworkError) {
        let original = request
        do {
            try building(&request)
        } catch {
            throw .wrapping(
                error,
                request: original,
                as: NetworkError(
                    kind: .invalidRequest,
                    reason: "the endpoint's building threw \(type(of: error))",
                    request: original,
                    underlying: error
                )
            )
        }
    }
}
