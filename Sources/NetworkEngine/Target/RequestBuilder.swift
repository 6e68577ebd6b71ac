package import Foundation

/// Builds a target's request; a pure function of the target, two encoders and some rules.
package struct RequestBuilder: Sendable {
    /// The purpose of the request.
    package enum Use: Sendable {
        case request, upload, download, inspection
    }

    let jsonEncoder: JSONEncoder
    let queryEncoder: QueryEncoder
    package let rules: RequestRules

    init(jsonEncoder: JSONEncoder, queryEncoder: QueryEncoder, rules: RequestRules = RequestRules()) {
        self.jsonEncoder = jsonEncoder
        self.queryEncoder = queryEncoder
        self.rules = rules
    }

    /// Returns the validated request for a target. Throws for an invalid target before anything is sent.
    package func request(for target: some TargetType, use: Use) throws(NetworkError) -> HTTPRequest {
        try request(for: target, below: rules.base(of: target), use: use)
    }

    /// Returns the validated request for a target below a base URL.
    package func request(for target: some TargetType, below base: URL, use: Use) throws(NetworkError) -> HTTPRequest {
        let task = target.declaredTask
        let query = try query(of: task)
        var request = try rules.request(
            target.declaredMethod,
            base: base,
            path: target.declaredPath,
            query: query,
            headers: target.declaredHeaders,
            timeout: target.declaredTimeout
        )
        try addBody(of: task, to: &request)
        try Self.check(task, isFitFor: use, request: request)
        try request.validate()
        return request
    }

    private func query(of task: NetworkTask) throws(NetworkError) -> String? {
        switch task {
        case .requestParameterEncodable(let value):
            try queryEncoder.encode(value)
        case .requestCompositeData(_, let parameters),
            .requestCompositeParameters(_, let parameters),
            .uploadCompositeMultipart(_, let parameters):
            try queryEncoder.encode(parameters)
        default: nil
        }
    }

    private func addBody(of task: NetworkTask, to request: inout HTTPRequest) throws(NetworkError) {
        switch task {
        case .requestPlain, .requestParameterEncodable, .downloadDestination: break
        case .requestData(let data), .requestCompositeData(let data, _):
            request.body = .data(data)
        case .requestJSONEncodable(let value):
            try request.setJSON(value, encoder: jsonEncoder)
        case .requestCustomJSONEncodable(let value, let encoder):
            try request.setJSON(value, encoder: encoder)
        case .requestParameters(let parameters, let encoding),
            .downloadParameters(let parameters, let encoding, _):
            let encoding = encoding.writingQueries(with: queryEncoder)
            request = try Self.encode(parameters, by: encoding, into: request)
        case .requestCompositeParameters(let parameters, _):
            request = try Self.encode(parameters, by: .formBody, into: request)
        case .uploadFile(let file):
            request = try request.adding(file: file)
        case .uploadMultipart(let parts), .uploadCompositeMultipart(let parts, _):
            request = try request.adding(multipart: parts, jsonEncoder: jsonEncoder)
        }
    }

    private static func encode(
        _ parameters: Parameters,
        by encoding: any ParameterEncoding,
        into request: HTTPRequest
    ) throws(NetworkError) -> HTTPRequest {
        do {
            return try encoding.encode(parameters, into: request)
        } catch {
            throw .wrapping(
                error,
                request: request,
                as: NetworkError(
                    kind: .encoding,
                    reason: "\(type(of: encoding)) threw \(type(of: error))",
                    request: request,
                    underlying: error
                )
            )
        }
    }

    private static func check(
        _ task: NetworkTask,
        isFitFor use: Use,
        request: HTTPRequest
    ) throws(NetworkError) {
        let fault: String? =
            switch (use, task.direction) {
            case (.request, .download): "a download task is run with `download`, not `request`"
            case (.download, .upload): "an upload task is run with `upload` or `request`, not `download`"
            case (.upload, .download): "a download task is run with `download`, not `upload`"
            case (.upload, _) where request.body.isAbsent: "there is no body to upload"
            default: nil
            }
        if let fault { throw NetworkError(kind: .invalidRequest, reason: fault, request: request) }
    }
}

extension NetworkTask {
    fileprivate enum Direction { case plain, upload, download }

    fileprivate var direction: Direction {
        switch self {
        case .uploadFile, .uploadMultipart, .uploadCompositeMultipart: .upload
        case .downloadDestination, .downloadParameters: .download
        default: .plain
        }
    }
}

extension HTTPRequest {
    fileprivate mutating func setJSON(_ value: any Encodable, encoder: JSONEncoder) throws(NetworkError) {
        let data = try JSONBody.data(encoding: value, with: encoder)
        self = try adding(body: data, contentType: JSONBody.contentType)
    }
}
