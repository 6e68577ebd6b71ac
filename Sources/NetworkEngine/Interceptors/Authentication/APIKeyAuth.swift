public import Foundation

/// Sends a fixed key with each request to certain origins, in a header, the query or the body.
///
/// ```swift
/// let client = HTTPClient(baseURL: api, interceptors: [APIKeyAuth(key: key, origins: [api])])
/// let maps = HTTPClient(baseURL: maps, interceptors: [APIKeyAuth(key: key, in: .query("api_key"), origins: [maps])])
/// ```
/// For a key that changes, or for a bearer token, use a ``TokenSource``.
///
/// A header, query item or field that the request already has is not changed. A target with the `authorization`
/// `.anonymous` is sent without the key. Each redirect is checked separately: other origins do not receive the key,
/// even if the server repeats it in the redirect's URL. The key does not appear in descriptions, errors and recordings.
public struct APIKeyAuth: ExchangeInterceptor, CredentialInterceptor, NonInterceptingInterceptor {
    /// The location of the key in requests; by default the header `X-API-Key`.
    public let location: TokenSource.Location
    private let key: String
    private let scope: CredentialScope

    /// - Parameter origins: the origins that receive the key; if empty, the origin of the target's or client's
    ///   `baseURL`.
    public init(key: String, in location: TokenSource.Location = .header("X-API-Key"), origins: [URL] = []) {
        self.key = key
        self.location = location
        scope = CredentialScope(origins)
    }

    /// The origins that receive the key; if empty, the origin of the target's or client's `baseURL`.
    public var origins: [URL] { scope.origins }

    public var mayWait: Bool { false }
    package var credentialPlace: String? { location.place }
    package var credentialOrigins: [URL] { origins }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard scope.contains(request, context), !location.isTaken(in: context.withoutCommonHeaders(request)) else {
            return request
        }
        return try location.put(key, into: request)
    }
}

extension APIKeyAuth: CustomStringConvertible, CustomReflectable {
    public var description: String { "APIKeyAuth(\(Redaction.placeholder))" }

    /// A mirror without the key, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["location": location, "origins": origins], displayStyle: .struct)
    }
}
