import Foundation

/// What a client asks its engine for, described as a target so that interceptors need to know of one kind only.
struct ClientCall: TargetType {
    /// Where its request comes from.
    enum Source: Sendable {
        case endpoint(Endpoint, building: (@Sendable (inout HTTPRequest) throws -> Void)?)
        case prepared(HTTPRequest)
    }

    let source: Source
    let baseURL: URL
    var timeout: Duration?
    var validation = ResponseValidation.success
    var authorization = AuthorizationRequirement.optional

    init(_ source: Source, below base: URL) {
        self.source = source
        baseURL = base
    }

    init(_ endpoint: TypedEndpoint<some Any>, below base: URL) {
        self.init(.endpoint(endpoint.endpoint, building: endpoint.building), below: base)
        timeout = endpoint.timeout
        validation = endpoint.validation
        authorization = endpoint.authorization
    }

    var path: String {
        switch source {
        case .endpoint(let endpoint, _): endpoint.path
        case .prepared(let request): request.url.absoluteString
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

    var task: NetworkTask { .requestPlain }

    /// The validated request; throws before anything is sent when there is something wrong with it.
    func request(by rules: RequestRules) throws(NetworkError) -> HTTPRequest {
        var request: HTTPRequest
        switch source {
        case .prepared(let prepared):
            request = prepared
            request.marks = rules.marks
        case .endpoint(let endpoint, let building):
            request = try endpoint.request(below: baseURL, rules, timeout: timeout)
            try building.map { change throws(NetworkError) in try Self.run(change, on: &request) }
        }
        try request.validate()
        return request
    }

    private static func run(
        _ change: (inout HTTPRequest) throws -> Void,
        on request: inout HTTPRequest
    ) throws(NetworkError) {
        let original = request
        do {
            try change(&request)
        } catch let error as NetworkError {
            throw error.completed(request: original)
        } catch is CancellationError {
            throw .cancelled(original)
        } catch {
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the endpoint's building threw \(type(of: error))",
                request: original,
                underlying: error
            )
        }
    }
}
