import Foundation

/// The target behind a client's call, so that interceptors handle clients and providers alike.
///
/// It is an object because a call passes it through many stack frames.
final class ClientTarget: OperationTarget {
    /// The description that the request is built from.
    enum Source: Sendable {
        case endpoint(Endpoint)
        /// A request that already contains its address.
        case prepared(HTTPRequest)
    }

    let source: Source
    let baseURL: URL
    let task: NetworkTask
    /// The cache policy of a prepared request.
    private let preparedPolicy: CachePolicy
    /// Whether another library chose the prepared request's address and validates the response.
    private let isGuest: Bool

    init(
        _ source: Source,
        below base: URL,
        task: NetworkTask = .requestPlain,
        cachePolicy: CachePolicy = .useProtocol,
        isGuest: Bool = false
    ) {
        self.source = source
        self.isGuest = isGuest
        preparedPolicy = cachePolicy
        baseURL = base
        self.task = task
    }

    var timeout: Duration? { endpoint?.timeout }
    var deadline: Duration? { endpoint?.deadline }
    var validation: ResponseValidation { endpoint?.validation ?? (isGuest ? .statusCodes(200..<300) : .success) }
    var authorization: AuthorizationRequirement { endpoint?.authorization ?? .optional }
    var cachePolicy: CachePolicy { endpoint?.cachePolicy ?? preparedPolicy }

    var path: EndpointPath {
        switch source {
        case .endpoint(let endpoint): endpoint.location
        case .prepared(let request): EndpointPath(request.url.absoluteString)
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

    /// Builds and validates the request below a base URL. Throws for an invalid request, before any I/O.
    func request(
        by builder: RequestBuilder,
        below base: URL,
        for use: RequestBuilder.Use = .request
    ) throws(NetworkError) -> HTTPRequest {
        let rules = builder.rules
        var request: HTTPRequest
        switch source {
        case .prepared(let prepared):
            request = prepared
            request.secrets = rules.secrets
            if isGuest, !rules.isTrusted(request.url), !request.url.hasSameOrigin(as: base) {
                // Servers chosen by another library get no client certificate.
                request.secrets = (request.secrets ?? RequestSecrets()).adding(isForeign: true)
            }
        case .endpoint(let endpoint):
            request = try rules.request(
                endpoint.method,
                base: base,
                path: endpoint.location,
                query: endpoint.encodedQuery(by: builder.queryEncoder),
                headers: endpoint.headers,
                timeout: endpoint.timeout
            )
            if let content = endpoint.content { try Self.add(content, to: &request, by: builder.jsonEncoder) }
            try follow(endpoint.link, with: endpoint.building, by: rules, &request)
        }
        try request.validate()
        if use == .upload, request.body.isAbsent {
            throw NetworkError(kind: .invalidRequest, reason: "there is no body to upload", request: request)
        }
        return request
    }

    /// Applies the endpoint's changes and replaces the address with a link from the server, if there is one.
    ///
    /// At an origin that the server chose, the endpoint's additions follow the same rules as everything else.
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

    /// - Parameter encoder: encodes JSON for which the endpoint specifies no encoder.
    private static func add(
        _ content: EndpointContent,
        to request: inout HTTPRequest,
        by encoder: JSONEncoder
    ) throws(NetworkError) {
        switch content {
        case .body(let body): request.body = body
        case .file(let file): request = try request.adding(file: file)
        case .multipart(let parts): request = try request.adding(multipart: parts, jsonEncoder: encoder)
        case .json(let value, let own):
            let data = try JSONBody.data(encoding: value, with: own ?? encoder)
            request = try request.adding(body: data, contentType: JSONBody.contentType)
        case .form(let fields):
            let text = QueryEncoder().encode(fields: fields)
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
