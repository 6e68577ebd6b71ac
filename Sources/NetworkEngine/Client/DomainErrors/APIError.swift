public import Foundation

/// A failure in words of an app: what view models and data sources need to know, without HTTP.
///
/// ```swift
/// let users = client.mappingErrors(with: APIErrorMapper())
/// do { show(try await users.request(.get("/users/7")) as User) } catch .notFound { showNobody() } catch { show(error) }
/// ```
public enum APIError: Error, Hashable, Sendable {
    /// The request could not be made as asked.
    case invalidRequest
    /// What came back is not what was agreed on.
    case invalidResponse
    /// There is no such thing.
    case notFound
    /// The server answered with a failure.
    case serverError(statusCode: Int)
    /// The answer could not be read; the description names the place.
    case decodingFailed(description: String)
    /// The server refused for reasons in its own words.
    case rejected(messages: [String])
    /// A credential is missing or was not accepted any more.
    case authenticationFailed
    case offline
    case connectionFailed
    case timedOut
    case cancelled
    case other(description: String)
}

extension APIError: LocalizedError {
    /// One sentence for people.
    public var errorDescription: String? {
        switch self {
        case .invalidRequest: "The request could not be made."
        case .invalidResponse: "The server's answer could not be understood."
        case .notFound: "There is no such thing."
        case .serverError(let code): "The server reported a problem (\(code))."
        case .decodingFailed: "The server's answer could not be read."
        case .rejected(let messages): messages.joined(separator: " ")
        case .authenticationFailed: "You need to sign in again."
        case .offline: "There is no internet connection."
        case .connectionFailed: "The server could not be reached."
        case .timedOut: "The server took too long to answer."
        case .cancelled: "The request was cancelled."
        case .other: "Something went wrong."
        }
    }
}

extension APIError {
    /// What a failed call means.
    ///
    /// A status of 404 is `.notFound`, any other a `.serverError`. An `APIError` that an interceptor gave up with stays.
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
