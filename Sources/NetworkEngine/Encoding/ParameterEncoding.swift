/// A way of putting parameters into a request.
///
/// ```swift
/// .requestParameters(parameters: ["page": 1], encoding: .query)
/// ```
/// There are `.query`, `.formBody`, `.json` and `.automatic`. Anything thrown by another one reaches the caller as it is
/// when it is a `NetworkError`, and as the cause of an `.encoding` error otherwise.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters in it.
    func encode(_ parameters: Parameters, into request: HTTPRequest) throws -> HTTPRequest
}
