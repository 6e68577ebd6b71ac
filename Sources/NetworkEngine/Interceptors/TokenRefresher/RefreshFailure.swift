/// The reason for a missing credential; the `underlying` of an error of kind `.authentication`.
public enum RefreshFailure: Error, Sendable {
    /// No user is signed in.
    case signedOut
    /// The server no longer refreshes the credential: the user must sign in again. A refresh closure can throw this.
    case sessionExpired
    /// Too many successful refreshes within a short time: the server rejects the credentials that it issues.
    case excessiveRefresh
    /// The refresh took longer than its timeout.
    case timedOut
    /// The new credential had already expired.
    case expiredOnArrival
    /// The refresh closure didn't try: each call fails with its original response. A refresh closure can throw this.
    case declined
    /// The refresh failed. The credential is kept, and a later call tries again.
    case failed(any Error)
}

extension RefreshFailure: CustomStringConvertible, CustomReflectable {
    /// A text without the underlying error's description, which can contain secrets.
    public var description: String {
        switch self {
        case .signedOut: "there is no credential"
        case .sessionExpired: "the session has expired"
        case .excessiveRefresh: "excessive refresh: the credential was refreshed too often within a short time"
        case .timedOut: "the credential was not refreshed in time"
        case .expiredOnArrival: "the refreshed credential had already expired"
        case .declined: "the credential was not refreshed"
        case .failed(let error as NetworkError):
            "the credential could not be refreshed: \(error.statusCode.map { "status \($0)" } ?? error.kind.rawValue)"
        case .failed(let error): "the credential could not be refreshed: \(type(of: error))"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: ["failure": description], displayStyle: .enum) }
}

extension RefreshFailure: NetworkCausedError {
    /// Whether the credential no longer exists.
    package var endsSession: Bool {
        switch self {
        case .signedOut, .sessionExpired: true
        case .excessiveRefresh, .timedOut, .expiredOnArrival, .declined, .failed: false
        }
    }

    /// The network error behind a temporary failure.
    package var networkCause: NetworkError? {
        switch self {
        case .timedOut: return NetworkError(.timeout(.attempt), reason: description)
        case .failed(let error as NetworkError):
            guard error.kind == .status, let status = error.statusCode else { return error }
            return status >= 500 || [408, 425, 429].contains(status) ? error : nil
        default: return nil
        }
    }
}

extension NetworkError {
    /// Whether the server refused a refresh without ending the session, or rejects the credentials that it issues.
    var isRefusedRefresh: Bool {
        guard kind == .authentication else { return false }
        switch underlying as? RefreshFailure {
        case .excessiveRefresh: return true
        case .failed(let error as NetworkError): return error.kind == .status
        default: return false
        }
    }

    /// Returns the error for a call without a valid credential.
    package static func authentication(
        _ failure: RefreshFailure,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil
    ) -> NetworkError {
        NetworkError(
            kind: .authentication,
            reason: failure.description,
            request: request,
            response: response,
            underlying: failure
        )
    }
}

/// The reason why a request does not receive a credential.
enum AccessFailure: Error {
    case cancelled
    /// The call's deadline has passed.
    case deadlinePassed
    /// The session of the call has ended.
    case sessionOver
    case refused(RefreshFailure)

    /// Returns the call's error.
    func error(_ request: HTTPRequest, _ response: HTTPResponse? = nil) -> any Error {
        switch self {
        case .cancelled: CancellationError()
        case .deadlinePassed: NetworkError.deadlinePassed(request, isQueued: true)
        case .sessionOver: NetworkError.authentication(.signedOut, request: request, response: response)
        case .refused(let failure): NetworkError.authentication(failure, request: request, response: response)
        }
    }
}
