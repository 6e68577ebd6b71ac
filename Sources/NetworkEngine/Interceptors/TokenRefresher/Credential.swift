public import Foundation

/// What a server knows a user by, and how it is put into a request.
///
/// ```swift
/// struct Session: Credential {
///     let id: String
///     var expiresAt: Date? { nil }
///     func apply(to request: inout HTTPRequest) { request.headers["X-Session-Token"] = id }
/// }
/// ```
/// Two that are equal are the same credential: a store uses that to see whether somebody else has changed it. A description
/// should not show the secret. What `apply(to:)` places is not sent to another origin by a redirect, and is not shown in
/// descriptions, errors and recordings.
public protocol Credential: Sendable, Equatable {
    /// When it ends to be valid; `nil` when only the server knows.
    var expiresAt: Date? { get }

    /// Puts the credential into a request.
    func apply(to request: inout HTTPRequest)

    /// Whether the request has a credential already that its author wanted. Such a request is left as it is.
    ///
    /// The default looks for an `Authorization` header.
    func isSetByHand(in request: HTTPRequest) -> Bool
}

extension Credential {
    public func isSetByHand(in request: HTTPRequest) -> Bool { request.headers.contains("Authorization") }
}
