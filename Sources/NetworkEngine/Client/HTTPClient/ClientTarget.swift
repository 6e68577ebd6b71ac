import Foundation

/// The target that describes a client's call, so that interceptors handle clients and providers alike.
struct ClientTarget: OperationTarget {
    /// The description that the request is made from.
    enum Source: Sendable {
        case endpoint(Endpoint, building: (@Sendable (inout HTTPRequest) throws -> Void)?)
        case prepared(HTTPRequest)
    }

    let source: Source
    let baseURL: URL
    /// The upload or download of the call, if it is one.
    var task = NetworkTask.requestPlain
    /// Encodes the JSON parts of an upload; `nil` for the default encoder.
    var jsonEncoder: JSONEncoder?
    /// The address of a page that a server named, in place of the endpoint's own.
    var link: PageLink?
    var timeout: Duration?
    var deadline: Duration?
    var validation = ResponseValidation.success
    var authorization = AuthorizationRequirement.optional
    var cachePolicy = CachePolicy.useProtocol

    init(_ source: Source, below base: URL) {
        self.source = source
        baseURL = base
        if case .endpoint(let endpoint, _) = source {
            (timeout, deadline) = (endpoint.timeout, endpoint.deadline)
            cachePolicy = endpoint.cachePolicy
        }
    }

    init(_ endpoint: Endpoint, below base: URL) {
        self.init(.endpoint(endpoint, building: nil), below: base)
    }

    init(_ endpoint: TypedEndpoint<some Any>, below base: URL) {
        self.init(.endpoint(endpoint.endpoint, building: endpoint.building), below: base)
        timeout = endpoint.timeout ?? endpoint.endpoint.timeout
        deadline = endpoint.deadline ?? endpoint.endpoint.deadline
        link = endpoint.link
        validation = endpoint.validation
        authorization = endpoint.authorization
    }

    var path: Path {
        switch source {
        case .endpoint(let endpoint, _): endpoint.location
        case .prepared(let request): Path(request.url.absoluteString)
        }
    }

    var method: HTTPMethod {
        switch source {
        case .endpoint(let endpoint, _): endpoint.method
        case .prepared(let request): request.method
        }
    }

    var headers: HTTPHeaders {
        switch source {
        case .endpoint(let endpoint, _): endpoint.headers
        case .prepared(let request): request.headers
        }
    }

    var priority: TransportContext.Priority { endpoint?.priority ?? .ofCurrentTask }
    var template: String? { endpoint?.template }
    var operationName: String? { endpoint?.operationName }

    private var endpoint: Endpoint? {
        if case .endpoint(let endpoint, _) = source { endpoint } else { nil }
    }

    /// Builds and validates the request below a base. Throws for an invalid request, before any I/O.
    func request(by rules: RequestRules, below base: URL) throws(NetworkError) -> HTTPRequest {
        var request: HTTPRequest
        switch source {
        case .prepared(let prepared):
            request = prepared
            request.marks = rules.marks
        case .endpoint(let endpoint, let building):
            request = try rules.request(
                endpoint.method,
                base: base,
                path: endpoint.location,
                query: endpoint.query,
                headers: endpoint.headers,
                timeout: timeout
            )
            request.body = endpoint.body.map(RequestBody.data) ?? .none
            try addUpload(to: &request)
            if let link { request = try request.following(link, by: rules) }
            try building.map { building throws(NetworkError) in try Self.apply(building, to: &request) }
        }
        try request.validate()
        return request
    }

    private func addUpload(to request: inout HTTPRequest) throws(NetworkError) {
        switch task {
        case .uploadFile(let file): request = try request.adding(file: file)
        case .uploadMultipart(let parts):
            request = try request.adding(multipart: parts, jsonEncoder: jsonEncoder ?? JSONEncoder())
        default: break
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

extension CallOptions {
    /// Returns the request of a client's target, and keeps the base that it is made from.
    mutating func request(for target: ClientTarget, by rules: RequestRules) throws(NetworkError) -> HTTPRequest {
        try target.request(by: rules, below: resolvedBase(of: target, by: rules))
    }
}
