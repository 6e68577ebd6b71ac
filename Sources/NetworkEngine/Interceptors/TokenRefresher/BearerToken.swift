public import Foundation

/// An OAuth 2 access token, and what it is renewed with.
///
/// ```swift
/// let token = BearerToken("eyJhbGciOi", expiresIn: .seconds(3600), refreshToken: "tGzv3JOkF0")
/// ```
/// Its descriptions show neither of the two.
public struct BearerToken: Credential, Hashable, Codable {
    public var accessToken: String
    public var expiresAt: Date?
    public var refreshToken: String?

    public init(_ accessToken: String, expiresAt: Date? = nil, refreshToken: String? = nil) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
    }

    /// A token that was received just now, with the life that came with it.
    public init(
        _ accessToken: String,
        expiresIn life: Duration,
        receivedAt now: Date = Date(),
        refreshToken: String? = nil
    ) {
        let expiry = now.addingTimeInterval((life.bounded / .seconds(1)).rounded(.towardZero))
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
