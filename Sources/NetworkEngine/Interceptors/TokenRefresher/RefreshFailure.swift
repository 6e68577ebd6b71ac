/// Why there is no valid credential; the `underlying` of an error of kind `.authentication`.
public enum RefreshFailure: Error, Sendable {
    /// Nobody is signed in.
    case signedOut
    /// The server will not renew the credential: the user has to sign in again. Throw it from a refresh closure to say so.
    case sessionExpired
    /// More renewals than allowed within a short time: the server does not accept what it gives out.
    case excessiveRefresh
    /// The renewal took longer than it may.
    case timedOut
    /// What the server gave out had expired already.
    case expiredOnArrival
    /// There was no attempt to renew; the response that asked for one stands. Throw it from a refresh closure to say so.
    case declined
    /// The renewal failed for a reason that may pass: the credential is kept.
    case failed(any Error)
}

extension RefreshFailure: CustomStringConvertible, CustomReflectable {
    /// What happened, without the words of the underlying error, which may hold secrets.
    public var description: String {
        switch self {
        case .signedOut: "there is no credential"
        case .sessionExpired: "the session has expired"
        case .excessiveRefresh: "excessive refresh: the credential was renewed too often within a short time"
        case .timedOut: "the credential was not renewed in time"
        case .expiredOnArrival: "the renewed credential had expired already"
        case .declined: "the credential was not renewed"
        case .failed(let error as NetworkError):
            "the credential could not be renewed: \(error.statusCode.map { "status \($0)" } ?? error.kind.rawValue)"
        case .failed(let error): "the credential could not be renewed: \(type(of: error))"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: ["failure": description], displayStyle: .enum) }
}

extension NetworkError {
    /// The error of a call that has no valid credential.
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
