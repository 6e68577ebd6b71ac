/// An encoding of parameters in a request.
///
/// ```swift
/// .requestParameters(parameters: ["page": 1], encoding: .query)
/// ```
/// The standard encodings are `.query`, `.formBody`, `.json` and `.automatic`. If a custom encoding throws a
/// `NetworkError`, the caller receives it; any other error becomes the cause of an `.encoding` error.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters.
    func encode(_ parameters: Parameters, into request: HTTPRequest) throws -> HTTPRequest
}

/// Names and values for a query, a form or a JSON object.
///
/// ```swift
/// let parameters: Parameters = ["page": 1, "tags": ["a", "b"], "user": ["id": 7, "name": "Ann"] as Parameters]
/// ```
/// A nested literal with mixed types requires `as Parameters` (an array requires `as [any Sendable]`). Otherwise the
/// compiler reports that "type 'Any' does not conform to the 'Sendable' protocol". It reports the same for a literal
/// `nil`; write `NSNull()` instead. An optional variable works unchanged. `nil` follows the encoding's nil style.
///
/// Values can be strings, numbers, booleans, `Date`, `Data`, `URL`, `UUID`, `NSNull`, arrays, sets, dictionaries, and
/// values that are `Encodable`, `RawRepresentable` or `LosslessStringConvertible`. Other values, numbers that are not
/// finite, and nesting deeper than 64 levels cause `.encoding` errors that identify the parameter.
public typealias Parameters = [String: any Sendable]
