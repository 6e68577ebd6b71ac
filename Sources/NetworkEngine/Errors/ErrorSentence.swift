package import Foundation

/// The messages that an app can show to its users for failed calls.
///
/// The raw values are keys of the app's own strings table. The documentation lists them, so they never change.
package enum ErrorSentence: String, CaseIterable, Sendable {
    case cancelled, request, offline, connection, security, timeout, response, limit, authentication, refresh, other
    case status4xx, status402, status403, status404, status408, status409, status413, status422, status429, status451
    case status5xx, status503

    /// The message if the app has no translation.
    var english: String {
        switch self {
        case .cancelled: "The request was canceled."
        case .request: "The request could not be sent."
        case .offline: "There is no internet connection."
        case .connection: "The server could not be reached."
        case .security: "A secure connection to the server could not be made."
        case .timeout: "The server took too long to respond."
        case .response: "The server's response could not be read."
        case .limit: "The request exceeded a limit."
        case .authentication: "You need to sign in again."
        case .refresh: "Your access could not be renewed. Please try again later."
        case .other: "Something went wrong."
        case .status4xx: "The server did not accept the request."
        case .status402: "A payment is required."
        case .status403: "You do not have permission to do this."
        case .status404: "The requested item could not be found."
        case .status408: "The request took too long. Please try again."
        case .status409: "The request conflicts with newer data on the server."
        case .status413: "The content is too large to send."
        case .status422: "Some of the information is not valid."
        case .status429: "There were too many requests. Please try again later."
        case .status451: "This content is not available for legal reasons."
        case .status5xx: "The server has a problem. Please try again later."
        case .status503: "The service is not available right now. Please try again later."
        }
    }

    /// The message in the user's language, from the table `NetworkEngine` in the app's bundle.
    package func text(in bundle: Bundle = .main) -> String {
        NSLocalizedString(rawValue, tableName: "NetworkEngine", bundle: bundle, value: english, comment: "")
    }
}

extension ErrorSentence {
    /// The message for a failed call.
    package init(_ error: NetworkError) {
        if let cause = error.networkCause {
            self.init(cause)
            return
        }
        switch error.kind {
        case .cancelled: self = .cancelled
        case .invalidRequest, .encoding, .unsupported: self = .request
        case .offline: self = .offline
        case .connection, .transport: self = .connection
        case .tls: self = .security
        case .timeout:
            // An attempt without a delay was not followed by another one.
            let isOffline = error.attempts.last.map { $0.kind == .offline && $0.delay == nil } ?? false
            // The server is not to blame for time spent in one of the app's queues.
            self = isOffline ? .offline : error.isOwnDelay ? .status408 : .timeout
        case .protocolViolation, .redirect, .decoding, .emptyBody, .invalidResponse: self = .response
        case .limit: self = error.underlying is any ServiceUnavailability ? .status503 : .limit
        case .status: self = error.statusCode.map { ErrorSentence(status: $0) } ?? .response
        case .authentication: self = error.endsSession ? .authentication : .refresh
        case .interceptor: self = .other
        }
    }

    /// The message for a rejected status.
    init(status: Int) {
        switch status {
        case 401, 407, 511: self = .authentication
        case 402: self = .status402
        case 403: self = .status403
        case 404, 410: self = .status404
        case 408: self = .status408
        case 409, 412: self = .status409
        case 413: self = .status413
        case 422: self = .status422
        case 429: self = .status429
        case 451: self = .status451
        case 502, 503, 504: self = .status503
        case 400..<500: self = .status4xx
        case 500..<600: self = .status5xx
        default: self = .response
        }
    }
}

/// The reason for not sending a request, because the service fails too often.
package protocol ServiceUnavailability: Error {}

/// The reason for a missing credential.
protocol NetworkCausedError: Error {
    /// Whether the credential no longer exists, so that the user must sign in.
    var endsSession: Bool { get }
    /// The failed call; `nil` if the error itself matters.
    var networkCause: NetworkError? { get }
}

extension NetworkError {
    /// The failure of a refresh that a later call can repeat: there was no network, or the server was busy.
    ///
    /// Only errors of kind `.authentication` have one. `endsSession` is `true` if the user must sign in.
    public var networkCause: NetworkError? { refreshFailure?.networkCause }

    /// Whether the session is over, so that the user must sign in.
    ///
    /// ```swift
    /// do {
    ///     try await provider.request(.profile)
    /// } catch {
    ///     if error.endsSession { showSignIn() }
    /// }
    /// ```
    /// `true` for errors of kind `.authentication` without a credential: no user is signed in, or the server no longer
    /// refreshes the credential. `false` for a refresh that failed for another reason, because the credential is kept
    /// and a later call can refresh it. An error from your own interceptor ends the session if it has the kind
    /// `.authentication` and no `underlying`.
    ///
    /// It is also `true` for a late failure of a call from an earlier session. If another user may have signed in,
    /// check `TokenRefresher.isSignedIn`, too.
    ///
    /// A call that the server rejects with a 401 has the kind `.status` if no refresh was tried, or if it did not help.
    /// A `DefaultInterceptor` reports the loss of its session to `onSessionExpired`.
    public var endsSession: Bool {
        guard kind == .authentication else { return false }
        return refreshFailure?.endsSession ?? (underlying == nil)
    }

    /// Whether a credential was not refreshed, but the session may continue.
    private var refreshFailure: (any NetworkCausedError)? {
        kind == .authentication ? underlying as? any NetworkCausedError : nil
    }
}
