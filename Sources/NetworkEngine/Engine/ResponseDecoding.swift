public import Foundation

/// How a response body is delivered to a decoding.
package enum ResponseDelivery: Sendable {
    /// In memory.
    case memory
    /// In a file, which the decoding moves to a destination.
    indirect case file(DownloadDestination, resuming: ResumeData?)
    /// While it arrives.
    case stream
    /// As a connection that was switched from HTTP to another protocol.
    case upgrade(@Sendable (NetworkConfiguration) -> any UpgradeOffer)
}

/// How a response body is delivered and converted to a value.
///
/// ```swift
/// let names: [String] = try await provider.request(.list, decoding: .json(at: "data.names"))
/// let size = try await provider.request(.image(7), decoding: .custom { data, response in data.count })
/// ```
public struct ResponseDecoding<Value>: Sendable {
    package typealias Decode = @Sendable (_ response: HTTPResponse, _ standard: BodyDecoder) throws -> Value

    private var decode: Decode
    /// Whether decoding takes more time for a larger body.
    let decodesBody: Bool
    /// How the body is delivered.
    package var delivery = ResponseDelivery.memory
    /// Whether the caller can ignore the value. If so, a mock doesn't need a body for it.
    package private(set) var isDiscardable = false
    /// Receives a value that is never delivered, because the call was canceled earlier.
    package var onUnclaimed: (@Sendable (Value) -> Void)?

    package init(decodesBody: Bool = true, _ decode: @escaping Decode) {
        self.decodesBody = decodesBody
        self.decode = decode
    }

    /// Decodes with a closure, which also receives responses without a body.
    ///
    /// If the closure throws a `NetworkError`, the caller receives it. Any other error becomes the `underlying` error
    /// of a `.decoding` error.
    public static func custom(_ decode: @escaping @Sendable (Data, HTTPResponse) throws -> Value) -> Self {
        Self { response, _ in try decode(response.data, response) }
    }

    /// Returns the value for a response, for a mock.
    ///
    /// - Parameter decoder: decodes JSON, unless this decoding has its own decoder.
    public func value(
        of response: HTTPResponse,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(NetworkError) -> Value {
        try value(of: response, standard: BodyDecoder(decoder))
    }

    /// The value of a response.
    ///
    /// - Parameter standard: the decoder for JSON, unless this decoding has its own.
    package func value(of response: HTTPResponse, standard: BodyDecoder) throws(NetworkError) -> Value {
        do {
            return try decode(response, standard)
        } catch {
            throw .decoding(error, of: response)
        }
    }
}

extension ResponseDecoding where Value: Decodable & SendableMetatype {
    /// JSON, decoded by the configuration's decoder with the target's `keyDecodingStrategy`.
    public static var json: Self { .json() }

    /// JSON, decoded by this decoder or the configuration's.
    ///
    /// For status 204 and an empty body, an optional is `nil` and an `EmptyBody` is an `EmptyBody`. Other types cause
    /// an `.emptyBody` error. A `Data` value receives the body's bytes. At a path it is decoded, by default from
    /// Base64, and an `EmptyBody` requires a value there.
    public static func json(_ decoder: JSONDecoder? = nil) -> Self { json(decoder, path: nil) }

    /// The value at a path in a JSON document, decoded by this decoder or the configuration's.
    ///
    /// ```swift
    /// let users: [User] = try await provider.request(.list, decoding: .json(at: "data.users"))
    /// let first: User = try await provider.request(.list, decoding: .json(at: "data.users.0"))
    /// ```
    /// An error contains the missing part of the path, or the coding path of the value that could not be decoded. A
    /// missing part is an error even for an optional value. A `LossyArray` omits elements that cannot be decoded.
    ///
    /// - Parameter path: the names of members and the indices of elements, separated by dots. With a key strategy, a
    ///   name can be spelled as in the document or as in the types: `"user_list"` or `"userList"`.
    public static func json(_ decoder: JSONDecoder? = nil, at path: String) -> Self {
        json(decoder, path: path)
    }

    private static func json(_ decoder: JSONDecoder?, path: String?) -> Self {
        Self { try $0.json(Value.self, by: decoder.map { BodyDecoder($0) } ?? $1, at: path) }
    }

    /// A property list in XML or binary format.
    ///
    /// Absent bodies are treated as for `json`. A list with an encoding other than UTF-8, with more than 128 nested
    /// arrays and dictionaries, or with an array or dictionary in more than one place causes a `.decoding` error.
    public static var plist: Self { Self { response, _ in try response.propertyList(Value.self) } }
}

extension ResponseDecoding where Value == Data {
    /// The body's bytes.
    public static var data: Self { Self(decodesBody: false) { response, _ in response.data } }

    /// The body's bytes, for a call without a result type.
    static var discardableData: Self {
        var decoding = data
        decoding.isDiscardable = true
        return decoding
    }
}

extension ResponseDecoding where Value == Void {
    /// No value. The body is ignored.
    public static var nothing: Self { Self(decodesBody: false) { _, _ in } }
}

extension ResponseDecoding where Value == String {
    /// Text in the response's charset. Without a charset, the byte order mark decides; the default is UTF-8.
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
    /// An optional value: `nil` for status 204 and an empty body.
    ///
    /// ```swift
    /// let decoding = ResponseDecoding<Int>.custom { data, _ in data.count }
    /// let total: Int? = try await client.request(.get("/total"), decoding: .optional(decoding))
    /// ```
    public static func optional<Wrapped>(_ decoding: ResponseDecoding<Wrapped>) -> Self where Value == Wrapped? {
        Self(decodesBody: decoding.decodesBody) { response, standard in
            guard response.statusCode != 204, !response.data.isEmpty else { return nil }
            return try decoding.decode(response, standard)
        }
    }
}

extension ResponseDecoding where Value == HTTPResponse {
    /// The response itself.
    public static var response: Self { Self(decodesBody: false) { response, _ in response } }
}

extension ResponseDecoding {
    /// Returns a decoding with another JSON decoder.
    package func using(_ decoder: BodyDecoder) -> ResponseDecoding {
        var other = self
        other.decode = { [decode] response, _ in try decode(response, decoder) }
        return other
    }

    /// Returns a decoding that transforms the value.
    package func map<Other>(_ transform: @escaping @Sendable (Value, HTTPResponse) -> Other) -> ResponseDecoding<Other>
    {
        var other = ResponseDecoding<Other>(decodesBody: decodesBody) { response, standard in
            transform(try decode(response, standard), response)
        }
        other.delivery = delivery
        return other
    }
}
