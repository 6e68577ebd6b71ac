public import Foundation

/// Identifies a user to a server.
///
/// ```swift
/// struct Session: Credential {
///     let id: String
///     var expiresAt: Date? { nil }
///     func apply(to request: inout HTTPRequest) { request.headers["X-Session-Token"] = id }
/// }
/// ```
/// Equal values are the same credential: a store uses this to detect changes by other processes. A description should
/// not contain the secret. A redirect to another origin does not send the values that `apply(to:)` adds. They do not
/// appear in descriptions, errors and recordings.
public protocol Credential: Sendable, Equatable {
    /// The time when the credential expires; `nil` if only the server can determine it.
    var expiresAt: Date? { get }

    /// Identifies the user with a text that is unique to the user and survives a refresh; `nil` if unknown.
    ///
    /// With it, a cache serves stored responses to the same user even after a restart with another credential.
    var user: String? { get }

    /// Adds the credential to a request.
    func apply(to request: inout HTTPRequest)

    /// Whether the caller has already set a credential in a request. Such a request is not changed.
    ///
    /// By default this is `true` if the request has an `Authorization` header.
    func isSetByHand(in request: HTTPRequest) -> Bool
}

extension Credential {
    public var user: String? { nil }
    public func isSetByHand(in request: HTTPRequest) -> Bool { request.headers.contains("Authorization") }
}

/// An OAuth 2 access token, with an optional refresh token.
///
/// ```swift
/// let token = BearerToken("eyJhbGciOi", expiresIn: .seconds(3600), refreshToken: "tGzv3JOkF0")
/// ```
/// Its descriptions do not contain the tokens.
public struct BearerToken: Credential, Hashable, Codable {
    /// The token that requests send as `Authorization: Bearer …`.
    public var accessToken: String
    public var expiresAt: Date?
    /// The token to refresh the access token with; `nil` if the server did not return one.
    public var refreshToken: String?

    /// Creates a token that expires at a given time; `nil` if only the server can determine it.
    public init(_ accessToken: String, expiresAt: Date? = nil, refreshToken: String? = nil) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
    }

    /// Creates a token from a response that was just received.
    public init(
        _ accessToken: String,
        expiresIn life: Duration,
        receivedAt now: Date = Date(),
        refreshToken: String? = nil
    ) {
        let expiry = now.addingTimeInterval(life.bounded.inSeconds.rounded(.towardZero))
        self.init(accessToken, expiresAt: expiry, refreshToken: refreshToken)
    }

    public func apply(to request: inout HTTPRequest) {
        request.headers["Authorization"] = "Bearer " + accessToken
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "BearerToken(\(Redaction.placeholder))" }

    public var debugDescription: String { description }

    /// A mirror without the secrets, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["expiresAt": expiresAt as Any], displayStyle: .struct)
    }
}
