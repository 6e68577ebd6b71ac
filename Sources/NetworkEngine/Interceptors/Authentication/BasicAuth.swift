public import Foundation

/// Sends a user name and a password with each request to certain origins (RFC 7617).
///
/// ```swift
/// let client = HTTPClient(
///     baseURL: api, interceptors: [BasicAuth(username: "ada", password: password, origins: [api])])
/// ```
/// The password is not encrypted in the request. Use it only with `https`.
///
/// An `Authorization` header that the request already has is not changed. A target with the `authorization`
/// `.anonymous` is sent without the password. Each redirect is checked separately: other origins do not receive the
/// password. The password does not appear in descriptions, errors and recordings.
///
/// A user name with a colon cannot be sent, nor can control characters in either text. Such a call fails before any I/O
/// with an error of kind `.unsupported`, and the list's `validate()` reports it.
public struct BasicAuth: ExchangeInterceptor, CredentialInterceptor, NonInterceptingInterceptor {
    private let scope: CredentialScope
    private let credential: PreparedCredential
    package let credentialFault: String?

    /// - Parameter origins: the origins that receive the password; if empty, the origin of the target's or client's
    ///   `baseURL`.
    public init(username: String, password: String, origins: [URL] = []) {
        let account = Account(username: username, password: password)
        scope = CredentialScope(origins)
        credential = PreparedCredential(BasicCredential(account), 1)
        let hasColon = username.utf8.contains(UInt8(ascii: ":"))
        let fault = hasColon ? "the user name contains a colon" : account.fault
        credentialFault = fault.map { "BasicAuth: \($0)" }
    }

    /// The origins that receive the password; if empty, the origin of the target's or client's `baseURL`.
    public var origins: [URL] { scope.origins }

    public var mayWait: Bool { false }
    package var credentialPlace: String? { TokenSource.Location.header("Authorization").place }
    package var credentialOrigins: [URL] { origins }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard scope.contains(request, context), let signed = credential.apply(request, context) else { return request }
        try checkCredential(for: request)
        return signed
    }
}

extension BasicAuth: CustomStringConvertible, CustomReflectable {
    public var description: String { "BasicAuth(\(Redaction.placeholder))" }

    /// A mirror without the password, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["origins": origins], displayStyle: .struct) }
}

/// A user name and a password, in the form that is sent.
package struct Account: Sendable {
    package let username: String
    package let password: String

    /// Composes characters, because the same text can be typed as different code points (RFC 8265, normalization form
    /// C).
    package init(username: String, password: String) {
        self.username = username.precomposedStringWithCanonicalMapping
        self.password = password.precomposedStringWithCanonicalMapping
    }

    /// The reason why the account cannot be sent; `nil` if it can.
    package var fault: String? {
        let isControl: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F }
        if username.utf8.contains(where: isControl) { return "the user name contains a control character" }
        return password.utf8.contains(where: isControl) ? "the password contains a control character" : nil
    }
}

private struct BasicCredential: Credential {
    private let value: String

    init(_ account: Account) {
        value = "Basic " + Data("\(account.username):\(account.password)".utf8).base64EncodedString()
    }

    var expiresAt: Date? { nil }

    func apply(to request: inout HTTPRequest) { request.headers["Authorization"] = value }
}
