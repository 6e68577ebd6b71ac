package import Foundation

/// An interceptor that adds a credential to requests to some origins.
package protocol CredentialInterceptor: SecretMarkingInterceptor {
    /// The header or query item that the interceptor sets; `nil` if unknown.
    var credentialPlace: String? { get }
    /// The origins that receive the credential; if empty, the origin of the target's or client's base URL.
    var credentialOrigins: [URL] { get }
    /// The reason why the credential cannot be sent; `nil` if it can.
    var credentialFault: String? { get }
}

extension CredentialInterceptor {
    package var credentialFault: String? { nil }

    /// Whether both set the same header or query item for the same origin.
    func conflicts(with other: any CredentialInterceptor) -> Bool {
        guard let credentialPlace, credentialPlace == other.credentialPlace else { return false }
        let (origins, others) = (credentialOrigins.map(\.origin), other.credentialOrigins.map(\.origin))
        // The base URL's origin may or may not be one of the others.
        return origins.isEmpty ? others.isEmpty : origins.contains(where: others.contains)
    }

    /// Throws before I/O if the credential cannot be sent.
    package func checkCredential(for request: HTTPRequest) throws(NetworkError) {
        guard let credentialFault else { return }
        throw NetworkError(kind: .unsupported, reason: credentialFault, request: request)
    }
}

/// The requests to which an interceptor may add its credential.
package struct CredentialScope: Sendable {
    package let origins: [URL]
    private let allowed: AllowedOrigins

    /// - Parameter origins: if empty, the origin of each target's base URL.
    package init(_ origins: [URL]) {
        self.origins = origins
        allowed = AllowedOrigins(origins.isEmpty ? nil : origins)
    }

    package func contains(_ request: HTTPRequest, _ context: RequestContext) -> Bool {
        context.authorization != .anonymous && allowed.allows(request.url, in: context)
    }
}

extension TokenSource: CredentialInterceptor {
    package var credentialPlace: String? { location.place }
    package var credentialOrigins: [URL] { origins }
}

extension TokenSource.Location {
    /// The header or query item, in words; `nil` for a body.
    package var place: String? {
        switch self {
        case .bearer: "the header authorization"
        case .header(let name): "the header \(name.lowercased())"
        case .query(let name): "the query item \(name)"
        case .bodyField: nil
        }
    }
}

extension TokenRefresher: CredentialInterceptor {
    /// A credential other than a bearer token may set any header.
    package nonisolated var credentialPlace: String? {
        Token.self == BearerToken.self ? TokenSource.Location.bearer.place : nil
    }

    package nonisolated var credentialOrigins: [URL] { options.allowedOrigins ?? [] }
}
