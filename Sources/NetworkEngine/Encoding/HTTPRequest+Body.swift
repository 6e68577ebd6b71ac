package import Foundation

extension HTTPRequest {
    /// Returns the request with a body, and with a content type unless it already has one.
    ///
    /// Throws `.invalidRequest` if the request already has a body.
    package func adding(body: Data, contentType: String) throws(NetworkError) -> HTTPRequest {
        try adding(body: .data(body), contentType: contentType)
    }

    func adding(body: RequestBody, contentType: String) throws(NetworkError) -> HTTPRequest {
        guard self.body.isAbsent else {
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the request has a body already, which a body of type \(contentType) would replace",
                request: self
            )
        }
        var request = self
        request.body = body
        if !request.headers.contains("Content-Type") { request.headers["Content-Type"] = contentType }
        return request
    }
}

/// The body of a JSON request.
package enum JSONBody {
    package static let contentType = "application/json"

    /// Encodes a value. Throws an `.encoding` error with the cause and the path to the invalid value.
    package static func data(
        encoding value: any Encodable,
        with encoder: JSONEncoder
    ) throws(NetworkError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw .unencodable(error)
        }
    }
}

extension NetworkError {
    static func unencodable(_ reason: String, underlying: (any Error)? = nil) -> NetworkError {
        NetworkError(kind: .encoding, reason: reason, underlying: underlying)
    }

    /// Wraps an error thrown by `encode(to:)`. The reason contains the path to the value, but not the value.
    static func unencodable(_ error: any Error) -> NetworkError {
        switch error {
        case let error as NetworkError: return error
        case let EncodingError.invalidValue(value, context):
            let number = value as? any BinaryFloatingPoint
            let isNotFinite = number?.isFinite == false
            let fault = isNotFinite ? "is not a finite number" : "is a \(type(of: value)) that cannot be encoded"
            // Printing the error would reveal the value.
            let shown: Any = number == nil ? String(describing: type(of: value)) : value
            return unencodable(
                "\(context.codingPath.words) \(fault)",
                underlying: EncodingError.invalidValue(shown, context)
            )
        default: return unencodable("a value's own encoding failed", underlying: error)
        }
    }
}

extension [any CodingKey] {
    /// The path as text for a reason.
    var words: String {
        if isEmpty { return "the value" }
        let path = map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return "the value at \(path.debugDescription)"
    }
}
