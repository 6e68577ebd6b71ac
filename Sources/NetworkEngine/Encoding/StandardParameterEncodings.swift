public import Foundation

/// Appends parameters to the query of the request's URL, for every method.
///
/// In a task, `.query` uses `NetworkConfiguration.queryEncoder`. An encoding with a custom encoder keeps it.
public struct QueryParameterEncoding: ParameterEncoding {
    /// Writes the query.
    public var encoder: QueryEncoder {
        get { own ?? QueryEncoder() }
        set { own = newValue }
    }

    /// The custom encoder of this encoding; `nil` for the configuration's.
    fileprivate var own: QueryEncoder?

    /// Creates an encoding with a custom encoder; by default one with the default styles.
    public init(encoder: QueryEncoder = QueryEncoder()) { own = encoder }

    fileprivate init(own: QueryEncoder?) { self.own = own }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        var request = request
        request.url = try URLJoining.join(base: request.url, path: "", query: try encoder.encode(parameters))
        return request
    }
}

extension ParameterEncoding where Self == QueryParameterEncoding {
    /// Parameters in the query, for every method, written by the configuration's encoder.
    public static var query: Self { QueryParameterEncoding(own: nil) }

    /// Parameters in the query, written by a custom encoder.
    public static func query(_ encoder: QueryEncoder) -> Self { QueryParameterEncoding(encoder: encoder) }
}

/// Writes parameters to the body like an HTML form.
///
/// Sets `Content-Type` to `application/x-www-form-urlencoded; charset=utf-8` unless the request has one. A space
/// becomes `%20`, which every decoder supports. For `+`, as in browsers, set the encoder's `spaces` to `.plus`.
public struct FormParameterEncoding: ParameterEncoding {
    /// Writes the form.
    public var encoder: QueryEncoder

    /// Creates an encoding; by default with the default styles.
    public init(encoder: QueryEncoder = QueryEncoder()) { self.encoder = encoder }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        try request.adding(
            body: Data(try encoder.encode(parameters).utf8),
            contentType: Self.contentType
        )
    }

    static let contentType = "application/x-www-form-urlencoded; charset=utf-8"
}

extension ParameterEncoding where Self == FormParameterEncoding {
    /// Parameters as a form in the body.
    public static var formBody: Self { FormParameterEncoding() }

    /// Parameters as a form in the body, written by a custom encoder.
    public static func formBody(_ encoder: QueryEncoder) -> Self { FormParameterEncoding(encoder: encoder) }
}

/// Writes parameters to the body as one JSON object.
///
/// Sets `Content-Type` to `application/json` unless the request has one. `nil` and `NSNull` become `null`. Numbers that
/// are not finite are errors. The default encoder sorts keys, and writes dates as ISO 8601 and data as Base64.
public struct JSONParameterEncoding: ParameterEncoding {
    /// Writes the JSON.
    public var encoder: JSONEncoder

    /// Creates an encoding. The default encoder sorts keys, and writes dates as ISO 8601.
    public init(encoder: JSONEncoder = JSONParameterEncoding.defaultEncoder) { self.encoder = encoder }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        let object = ParameterValue.object(try ParameterValue.members(of: parameters))
        return try request.adding(
            body: try JSONBody.data(encoding: object, with: encoder),
            contentType: JSONBody.contentType
        )
    }

    /// Creates the default encoder.
    public static var defaultEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}

extension ParameterEncoding where Self == JSONParameterEncoding {
    /// Parameters as JSON in the body.
    public static var json: Self { JSONParameterEncoding() }

    /// Parameters as JSON in the body, written by a custom encoder.
    public static func json(_ encoder: JSONEncoder) -> Self { JSONParameterEncoding(encoder: encoder) }
}

/// Writes parameters to the query for GET, HEAD and DELETE, and to the body for every other method.
public struct AutomaticParameterEncoding: ParameterEncoding {
    /// The encoding for GET, HEAD and DELETE.
    public var query: QueryParameterEncoding
    /// The encoding for every other method.
    public var body: any ParameterEncoding

    /// Creates an encoding; by default with JSON for bodies.
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

extension ParameterEncoding {
    /// Returns the encoding with an encoder for queries, unless it has a custom one.
    func writingQueries(with encoder: QueryEncoder) -> any ParameterEncoding {
        switch self {
        case let query as QueryParameterEncoding:
            return query.writingQueries(with: encoder)
        case var automatic as AutomaticParameterEncoding:
            automatic.query = automatic.query.writingQueries(with: encoder)
            automatic.body = automatic.body.writingQueries(with: encoder)
            return automatic
        default: return self
        }
    }
}

extension QueryParameterEncoding {
    fileprivate func writingQueries(with encoder: QueryEncoder) -> Self { Self(own: own ?? encoder) }
}
