/// Adds parameters to the query of the request's address, whatever its method.
///
/// They come behind those that the address has already.
public struct QueryParameterEncoding: ParameterEncoding {
    public var encoder: QueryEncoder

    public init(encoder: QueryEncoder = QueryEncoder()) { self.encoder = encoder }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        var request = request
        request.url = try URLJoining.join(base: request.url, path: "", query: try encoder.encode(parameters))
        return request
    }
}

extension ParameterEncoding where Self == QueryParameterEncoding {
    /// Parameters in the query, whatever the method.
    public static var query: Self { QueryParameterEncoding() }

    /// Parameters in the query, written by an encoder of your own.
    public static func query(_ encoder: QueryEncoder) -> Self { QueryParameterEncoding(encoder: encoder) }
}
