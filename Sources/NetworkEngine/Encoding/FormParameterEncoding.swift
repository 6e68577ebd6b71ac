import Foundation

/// Makes parameters the body of the request, as an HTML form does.
///
/// `Content-Type` becomes `application/x-www-form-urlencoded; charset=utf-8` unless the request has one. A space is `%20`,
/// which every decoder understands; set the encoder's `spaces` to `.plus` for the browsers' `+`.
public struct FormParameterEncoding: ParameterEncoding {
    public var encoder: QueryEncoder

    public init(encoder: QueryEncoder = QueryEncoder()) { self.encoder = encoder }

    public func encode(_ parameters: Parameters, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        try request.adding(
            body: Data(try encoder.encode(parameters).utf8),
            contentType: "application/x-www-form-urlencoded; charset=utf-8"
        )
    }
}

extension ParameterEncoding where Self == FormParameterEncoding {
    /// Parameters as a form in the body.
    public static var formBody: Self { FormParameterEncoding() }

    /// Parameters as a form in the body, written by an encoder of your own.
    public static func formBody(_ encoder: QueryEncoder) -> Self { FormParameterEncoding(encoder: encoder) }
}
