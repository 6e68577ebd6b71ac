/// Puts parameters where the method lets a server look for them.
///
/// Into the query for GET, HEAD and DELETE, and as JSON into the body for every other method.
public struct AutomaticParameterEncoding: ParameterEncoding {
    public var query: QueryParameterEncoding
    public var body: any ParameterEncoding

    public init(query: QueryParameterEncoding = .query, body: any ParameterEncoding = .json) {
        self.query = query
        self.body = body
    }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws -> HTTPRequest {
        switch request.method {
        case .get, .head, .delete: try query.encode(parameters, into: request)
        default: try body.encode(parameters, into: request)
        }
    }
}

extension ParameterEncoding where Self == AutomaticParameterEncoding {
    /// Parameters in the query for GET, HEAD and DELETE, as JSON in the body otherwise.
    public static var automatic: Self { AutomaticParameterEncoding() }
}
