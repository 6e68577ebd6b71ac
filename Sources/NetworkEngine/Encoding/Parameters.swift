/// Names and values for a query, a form or a JSON object.
///
/// ```swift
/// let parameters: Parameters = ["page": 1, "tags": ["a", "b"], "user": ["id": 7, "name": "Ann"] as Parameters]
/// ```
/// A nested literal of mixed types needs `as Parameters` (an array `as [any Sendable]`), and an optional is best unwrapped
/// first: one that is `nil` follows the encoding's nil style. Values may be strings, numbers, booleans, `Date`, `Data`,
/// `URL`, `UUID`, `NSNull`, arrays, sets, dictionaries, and whatever is `Encodable` or `RawRepresentable`. Anything
/// else, a number that is not finite, and nesting deeper than 64 levels are `.encoding` errors that name the parameter.
public typealias Parameters = [String: any Sendable]
