public import Foundation

/// Adds a token from a closure to each request to one origin.
///
/// ```swift
/// let client = HTTPClient(baseURL: api, interceptors: [TokenSource { await session.token }])
/// let maps = HTTPClient(baseURL: maps, interceptors: [TokenSource(.query("api_key")) { key }])
/// ```
/// The closure is called for each attempt. A value that the request already has is not changed, unless it is one of
/// `NetworkConfiguration.headers`. A target with the
/// `authorization` `.none` gets no token. If the closure returns `nil`, a call with the `authorization` `.required`
/// fails with `.authentication`, and other calls are sent without a token.
///
/// The closure can make calls with the same provider or client, for example to refresh the token. They are sent without
/// the token. The source does not track users: each attempt uses the token that the closure returns at that time.
///
/// A redirect to another origin is sent without the token, regardless of its location in the request. A redirect that
/// would send a body with the token to another origin fails. Descriptions, errors and recordings do not show the token.
public struct TokenSource: RequestInterceptor, SecretMarkingInterceptor, NonInterceptingInterceptor {
    /// The location of a token in a request.
    public enum Location: Hashable, Sendable {
        /// `Authorization: Bearer …`
        case bearer
        /// A header with this name.
        case header(String)
        /// A query item with this name.
        case query(String)
        /// A member of a JSON object or a field of a form. A request without a body gets a JSON object.
        case bodyField(String)
    }

    /// The location of the token in requests; by default `Authorization: Bearer …`.
    public var location: Location
    /// The origins that get the token; if empty, the origin of the call's base: the `baseURL` of the
    /// target or client, unless the configuration replaces it.
    public var origins: [URL]
    private let token: @Sendable @concurrent () async throws -> String?
    /// The identity that all copies share.
    private let owner = Owner()

    private final class Owner: Sendable {}

    /// - Parameter token: returns the token. A thrown error ends the attempt.
    public init(
        _ location: Location = .bearer,
        origins: [URL] = [],
        token: @escaping @Sendable @concurrent () async throws -> String?
    ) {
        self.location = location
        self.origins = origins
        self.token = token
    }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        let origins = origins.isEmpty ? context.baseURL.map { [$0] } ?? [] : origins
        guard context.authorization != .none, origins.contains(where: request.url.hasSameOrigin) else { return request }
        let isSetByHand = location.isTaken(in: context.withoutCommonHeaders(request))
        if isSetByHand || RefreshScope.isActive(for: owner) { return request }
        guard let token = try await RefreshScope.run(for: owner, token) else {
            guard context.authorization == .required else { return request }
            throw NetworkError(kind: .authentication, reason: "the token source has no token", request: request)
        }
        return try location.put(token, into: request)
    }
}
