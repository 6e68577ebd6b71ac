public import Foundation

/// Sends a fixed key with each request to certain origins, in a header or in the query.
///
/// ```swift
/// let client = HTTPClient(baseURL: api, interceptors: [APIKeyAuth(key: key, origins: [api])])
/// let maps = HTTPClient(baseURL: maps, interceptors: [APIKeyAuth(key: key, in: .query("api_key"), origins: [maps])])
/// ```
/// Use a ``TokenSource`` for a key that changes, or for a bearer token.
///
/// A header or query item that the request already has is not changed. A target with the `authorization` `.anonymous`
/// is sent without the key. Each redirect is checked separately: other origins do not get the key, even if the server
/// repeats it in the address of the redirect. Descriptions, errors and recordings do not show it.
public struct APIKeyAuth: ExchangeInterceptor, CredentialInterceptor, NonInterceptingInterceptor {
    /// The location of a key in a request.
    public enum Location: Hashable, Sendable {
        /// A header with this name.
        case header(String)
        /// A query item with this name.
        case query(String)
    }

    /// The location of the key in requests; by default the header `X-API-Key`.
    public let location: Location
    private let key: String
    private let scope: CredentialScope

    /// - Parameter origins: the origins that get the key; if empty, the origin of the target's or client's `baseURL`.
    public init(key: String, in location: Location = .header("X-API-Key"), origins: [URL] = []) {
        self.key = key
        self.location = location
        scope = CredentialScope(origins)
    }

    /// The origins that get the key; if empty, the origin of the target's or client's `baseURL`.
    public var origins: [URL] { scope.origins }

    public var mayWait: Bool { false }
    package var credentialPlace: String? { place.place }
    package var credentialOrigins: [URL] { origins }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard scope.contains(request, context), !place.isTaken(in: context.withoutCommonHeaders(request)) else {
            return request
        }
        return try place.put(key, into: request)
    }

    private var place: TokenSource.Location {
        switch location {
        case .header(let name): .header(name)
        case .query(let name): .query(name)
        }
    }
}

extension APIKeyAuth: CustomStringConvertible, CustomReflectable {
    public var description: String { "APIKeyAuth(\(Redaction.placeholder))" }

    /// A mirror without the key, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["location": location, "origins": origins], displayStyle: .struct)
    }
}
