public import Foundation

/// Makes parameters the body of the request, as one JSON object.
///
/// `Content-Type` becomes `application/json` unless the request has one. `nil` and `NSNull` are `null`; a number that is not
/// finite is refused. Dates, data and keys are written as the encoder says: the default one sorts keys and writes dates as
/// ISO 8601 and data as base64.
public struct JSONParameterEncoding: ParameterEncoding {
    public var encoder: JSONEncoder

    public init(encoder: JSONEncoder = JSONParameterEncoding.defaultEncoder) { self.encoder = encoder }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        let object = ParameterValue.object(try ParameterValue.members(of: parameters))
        return try request.adding(
            body: try JSONBody.data(encoding: object, with: encoder),
            contentType: JSONBody.contentType
        )
    }

    /// A new encoder with the defaults.
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

    /// Parameters as JSON in the body, written by an encoder of your own.
    public static func json(_ encoder: JSONEncoder) -> Self { JSONParameterEncoding(encoder: encoder) }
}
