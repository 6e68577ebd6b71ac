public import Foundation

/// An error for view models and data sources, without HTTP details.
///
/// ```swift
/// let users = client.mapErrors(with: APIErrorMapper())
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
    /// The server returned an error status.
    case serverError(statusCode: Int)
    /// The response could not be decoded. The description contains the key path.
    case decodingFailed(description: String)
    /// The server rejected the request with these messages.
    case rejected(messages: [String])
    /// A credential is missing, expired or was rejected.
    case authenticationFailed
    /// The device has no network connection.
    case offline
    /// The server was not reached, the connection was lost or is not trusted, or the transport failed.
    case connectionFailed
    /// The server did not respond in time, or the call's deadline has passed.
    case timedOut
    /// The caller canceled the call.
    case cancelled
    /// An interceptor failed. The description is for developers.
    case other(description: String)
}

extension APIError: LocalizedError {
    /// A sentence that an app can show to its users, and translate in the same way as a `NetworkError` description.
    ///
    /// For `.rejected` it contains the server's messages.
    public var errorDescription: String? {
        if case .rejected(let messages) = self, messages.contains(where: { !$0.isEmpty }) {
            return Redaction.shortened(messages.joined(separator: " "))
        }
        return sentence.text()
    }

    private var sentence: ErrorSentence {
        switch self {
        case .invalidRequest: .request
        case .invalidResponse, .decodingFailed: .response
        case .notFound: .status404
        case .serverError(let code): ErrorSentence(status: code)
        case .rejected: .status4xx
        case .authenticationFailed: .authentication
        case .offline: .offline
        case .connectionFailed: .connection
        case .timedOut: .timeout
        case .cancelled: .cancelled
        case .other: .other
        }
    }
}

extension APIError {
    /// Creates the error for a failed call.
    ///
    /// Status 401 becomes `.authenticationFailed`, 404 `.notFound`, and any other status `.serverError`. If a refresh
    /// failed for a temporary reason, such as a missing network or a busy server, the error is created from its
    /// `networkCause`. Any other refresh failure that does not end the session becomes `.other`, because the user
    /// doesn't have to sign in again. An `APIError` from an interceptor is kept.
    public init(_ error: NetworkError) {
        if let known = error.underlying as? APIError {
            self = known
            return
        }
        if let cause = error.networkCause {
            self.init(cause)
            return
        }
        switch error.kind {
        case .status:
            switch error.statusCode {
            case 401: self = .authenticationFailed
            case 404: self = .notFound
            case let code?: self = .serverError(statusCode: code)
            case nil: self = .invalidResponse
            }
        case .decoding: self = .decodingFailed(description: error.reason)
        case .invalidRequest, .encoding, .unsupported: self = .invalidRequest
        case .invalidResponse, .emptyBody, .protocolViolation, .redirect, .limit: self = .invalidResponse
        case .authentication: self = error.endsSession ? .authenticationFailed : .other(description: error.reason)
        case .offline: self = .offline
        case .connection, .tls, .transport: self = .connectionFailed
        case .timeout: self = .timedOut
        case .cancelled: self = .cancelled
        case .interceptor: self = .other(description: error.reason)
        }
    }
}
