public import Foundation

/// An error for view models and data sources, without HTTP details.
///
/// ```swift
/// let users = client.mappingErrors(with: APIErrorMapper())
/// do {
///     show(try await users.request(.get("/users/7")) as User)
/// } catch .notFound {
///     showEmptyState()
/// } catch {
///     show(error)
/// }
/// ```
public enum APIError: Error, Hashable, Sendable {
    /// The request is invalid.
    case invalidRequest
    /// The response is not valid for the request.
    case invalidResponse
    /// The requested item does not exist.
    case notFound
    /// The server answered with a failure status.
    case serverError(statusCode: Int)
    /// The response could not be decoded. The description names the key path.
    case decodingFailed(description: String)
    /// The server rejected the request with these messages.
    case rejected(messages: [String])
    /// A credential is missing, expired or was rejected.
    case authenticationFailed
    case offline
    case connectionFailed
    case timedOut
    case cancelled
    case other(description: String)
}

extension APIError: LocalizedError {
    /// A sentence that an app can show to its users.
    public var errorDescription: String? {
        switch self {
        case .invalidRequest: "The request could not be sent."
        case .invalidResponse: "The server's response could not be understood."
        case .notFound: "The requested item could not be found."
        case .serverError(let code): "The server reported a problem (\(code))."
        case .decodingFailed: "The server's response could not be read."
        case .rejected(let messages): messages.joined(separator: " ")
        case .authenticationFailed: "You need to sign in again."
        case .offline: "There is no internet connection."
        case .connectionFailed: "The server could not be reached."
        case .timedOut: "The server took too long to respond."
        case .cancelled: "The request was cancelled."
        case .other: "Something went wrong."
        }
    }
}

extension APIError {
    /// Creates the error for a failed call.
    ///
    /// Status 404 becomes `.notFound`, any other status `.serverError`. An `APIError` from an interceptor is kept.
    public init(_ error: NetworkError) {
        if let known = error.underlying as? APIError {
            self = known
            return
        }
        switch error.kind {
        case .status:
            switch error.statusCode {
            case 404: self = .notFound
            case let code?: self = .serverError(statusCode: code)
            case nil: self = .invalidResponse
            }
        case .decoding: self = .decodingFailed(description: error.reason)
        case .invalidRequest, .encoding, .unsupported: self = .invalidRequest
        case .invalidResponse, .emptyBody, .protocolViolation, .redirect, .limit: self = .invalidResponse
        case .authentication: self = .authenticationFailed
        case .offline: self = .offline
        case .connection, .tls, .transport: self = .connectionFailed
        case .timeout: self = .timedOut
        case .cancelled: self = .cancelled
        case .interceptor: self = .other(description: error.reason)
        }
    }
}
