public import Foundation

/// Puts a token that a closure knows into every request of one origin.
///
/// ```swift
/// let client = HTTPClient(baseURL: api, interceptors: [TokenSource { await session.token }])
/// let maps = HTTPClient(baseURL: maps, interceptors: [TokenSource(.query("api_key")) { key }])
/// ```
/// The closure is asked for each attempt. What a request has already, set by hand, stays as it is. A target whose
/// `authorization` is `.none` gets no token; without a token one that says `.required` fails with `.authentication`, and
/// others are sent without.
///
/// The closure can make calls with the same provider or client, such as one that renews the token. They go out without the
/// token. The source does not know users: each attempt goes out as the user whose token the closure gives then.
///
/// A redirect to another origin is sent without the token, wherever the token was placed. A redirect that would send a body
/// with the token to another origin fails. The token is not shown in descriptions, errors and recordings.
public struct TokenSource: RequestInterceptor, MarkingInterceptor {
    /// Where in a request a token goes.
    public enum Place: Hashable, Sendable {
        /// `Authorization: Bearer …`
        case bearer
        /// A header of this name.
        case header(String)
        /// A query item of this name.
        case query(String)
        /// A member of a JSON object, or a field of a form; a request without a body gets a JSON object.
        case bodyField(String)
    }

    public var place: Place
    /// The origins that may see the token; without any, the one of the target's `baseURL` or the client's.
    public var origins: [URL]
    private let token: @Sendable @concurrent () async throws -> String?
    /// The same for all copies.
    private let owner = Owner()

    private final class Owner: Sendable {}

    /// - Parameter token: what it throws ends the attempt.
    public init(
        _ place: Place = .bearer,
        origins: [URL] = [],
        token: @escaping @Sendable @concurrent () async throws -> String?
    ) {
        self.place = place
        self.origins = origins
        self.token = token
    }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        let origins = origins.isEmpty ? context.target.map { [$0.baseURL] } ?? [] : origins
        guard context.authorization != .none, origins.contains(where: request.url.hasSameOrigin) else { return request }
        if place.isTaken(in: request) || RefreshScope.isActive(for: owner) { return request }
        guard let token = try await RefreshScope.run(for: owner, token) else {
            guard context.authorization == .required else { return request }
            throw NetworkError(kind: .authentication, reason: "the token source has no token", request: request)
        }
        return try place.put(token, into: request)
    }
}
