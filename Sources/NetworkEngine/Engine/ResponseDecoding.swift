public import Foundation

/// How a response becomes a value.
///
/// ```swift
/// let names: [String] = try await provider.request(.list, decoding: .json(keyPath: "data.names"))
/// let size = try await provider.request(.image(7), decoding: .custom { data, response in data.count })
/// ```
public struct ResponseDecoding<Value>: Sendable {
    package typealias Decode = @Sendable (_ response: HTTPResponse, _ standard: BodyDecoder) throws -> Value

    private let decode: Decode
    /// Whether a large body needs more time than a small one.
    let takesTime: Bool

    package init(takesTime: Bool = true, _ decode: @escaping Decode) {
        self.takesTime = takesTime
        self.decode = decode
    }

    /// Decodes by the closure, which also sees responses without a body.
    ///
    /// What it throws is the call's error: as it is when it is a `NetworkError`, else as the underlying of one of kind
    /// `.decoding`.
    public static func custom(_ decode: @escaping @Sendable (Data, HTTPResponse) throws -> Value) -> Self {
        Self { response, _ in try decode(response.data, response) }
    }

    /// The value of a response.
    ///
    /// - Parameter standard: decodes JSON unless this decoding brought its own decoder.
    package func value(of response: HTTPResponse, standard: BodyDecoder) throws(NetworkError) -> Value {
        do {
            return try decode(response, standard)
        } catch {
            throw .decoding(error, of: response)
        }
    }
}

extension ResponseDecoding where Value: Decodable & SendableMetatype {
    /// JSON, by the configuration's decoder with the target's `keyDecodingStrategy`.
    public static var json: Self { .json() }

    /// JSON, by this decoder or else the configuration's.
    ///
    /// A status of 204 or a body without bytes gives `nil` for an optional value and an `Empty`, and is an `.emptyBody`
    /// error for any other. Where the value is `Data`, it is the bytes as they came.
    ///
    /// - Parameter keyPath: where in the document the value is, names separated by dots: `"data.users"`. Under a key strategy
    ///   they may be spelled as in the document or as in the types: `"user_list"` or `"userList"`.
    public static func json(_ decoder: JSONDecoder? = nil, keyPath: String? = nil) -> Self {
        Self { try $0.json(Value.self, by: decoder.map { BodyDecoder($0) } ?? $1, at: keyPath) }
    }
}

extension ResponseDecoding where Value == Data {
    /// The bytes as they came; no body is no bytes.
    public static var data: Self { Self(takesTime: false) { response, _ in response.data } }
}

extension ResponseDecoding where Value == Void {
    /// Nothing; the body is ignored.
    public static var nothing: Self { Self(takesTime: false) { _, _ in } }
}

extension ResponseDecoding where Value == String {
    /// Text, in the charset that the response names, else as its byte order mark says, else UTF-8.
    public static var string: Self {
        Self { response, _ in
            let encoding = TextEncoding(of: response)
            guard let text = encoding.decode(response.data) else {
                throw NetworkError(kind: .decoding, reason: "the body is not \(encoding.name) text", response: response)
            }
            return text
        }
    }
}

extension ResponseDecoding {
    /// Asks another decoding unless there is nothing to decode: a status of 204 or a body without bytes gives `nil`.
    ///
    /// ```swift
    /// let total: Int? = try await client.request(.get("/total"), decoding: .optional(.custom { data, _ in data.count }))
    /// ```
    public static func optional<Wrapped>(_ decoding: ResponseDecoding<Wrapped>) -> Self where Value == Wrapped? {
        Self(takesTime: decoding.takesTime) { response, standard in
            guard response.statusCode != 204, !response.data.isEmpty else { return nil }
            return try decoding.decode(response, standard)
        }
    }
}

extension ResponseDecoding where Value == HTTPResponse {
    /// The response itself.
    public static var response: Self { Self(takesTime: false) { response, _ in response } }
}

extension ResponseDecoding {
    /// What a closure makes of the value and the response.
    package func map<Other>(_ transform: @escaping @Sendable (Value, HTTPResponse) -> Other) -> ResponseDecoding<Other>
    {
        ResponseDecoding<Other>(takesTime: takesTime) { response, standard in
            transform(try decode(response, standard), response)
        }
    }
}
