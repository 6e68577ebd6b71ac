public import Foundation

/// Adds a token from a closure to each request to one origin.
///
/// ```swift
/// let client = HTTPClient(baseURL: api, interceptors: [TokenSource { await session.token }])
/// let maps = HTTPClient(baseURL: maps, interceptors: [TokenSource(.query("api_key")) { key }])
/// ```
/// The closure is called for each attempt. A value that the request already has is not changed, unless it comes from
/// `NetworkConfiguration.headers`. A target with the `authorization` `.anonymous` gets no token. If the closure returns
/// `nil`, a call with the `authorization` `.required` fails with `.authentication`, and other calls are sent without a
/// token.
///
/// The closure can make calls with the same provider or client, for example to refresh the token. They are sent without
/// the token. The source does not track users: each attempt uses the token that the closure returns at that time.
///
/// A redirect to another origin is sent without the token, wherever it is in the request. A redirect that would send a
/// body with the token to another origin fails. The token does not appear in descriptions, errors and recordings.
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
    /// The origins that receive the token; if empty, the origin of the call's base URL: the target's or client's
    /// `baseURL`, unless the configuration replaces it.
    public var origins: [URL]
    private let token: @Sendable @concurrent () async throws -> String?
    /// The identity that all copies share.
    private let owner = Owner()

    private final class Owner: Sendable {}

    /// - Parameter token: returns the token. If it throws, the attempt fails.
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
        guard context.authorization != .anonymous, origins.contains(where: request.url.hasSameOrigin) else {
            return request
        }
        let isSetByHand = location.isTaken(in: context.withoutCommonHeaders(request))
        if isSetByHand || RefreshScope.isActive(for: owner) { return request }
        guard let token = try await RefreshScope.run(for: owner, token) else {
            guard context.authorization == .required else { return request }
            throw NetworkError(kind: .authentication, reason: "the token source has no token", request: request)
        }
        return try location.put(token, into: request)
    }
}

extension TokenSource.Location {
    /// Whether the request has a value at this location.
    func isTaken(in request: HTTPRequest) -> Bool {
        switch self {
        case .bearer: request.headers.contains("Authorization")
        case .header(let name): request.headers.contains(name)
        case .query(let name): request.url.encodedQuery.hasItem(name)
        case .bodyField(let name):
            switch request.fields {
            case .form(let text): text.hasItem(name)
            case .json(let members): members[name] != nil
            case .nothing, .other: false
            }
        }
    }

    /// Returns the request with a token at this location.
    func put(_ token: String, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        var request = request
        switch self {
        case .bearer:
            request.headers["Authorization"] = "Bearer \(token)"
            return request.marking([.init(token, in: .header("Authorization"))])
        case .header(let name):
            request.headers[name] = token
            return request.marking([.init(token, in: .header(name))])
        case .query(let name):
            request.url = try URLJoining.join(base: request.url, path: "", query: Self.item(name, token))
            return request.marking([.init(token, in: .query(name))])
        case .bodyField(let name):
            request.body = .data(try Self.body(of: request, adding: name, token))
            if !request.headers.contains("Content-Type") { request.headers["Content-Type"] = JSONBody.contentType }
            return request.marking([.init(token, in: .body)])
        }
    }

    private static func item(_ name: String, _ value: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(percentEncoding: name.utf8, keeping: .unreserved)
        bytes.append(UInt8(ascii: "="))
        bytes.append(percentEncoding: value.utf8, keeping: .unreserved)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func body(
        of request: HTTPRequest,
        adding name: String,
        _ token: String
    ) throws(NetworkError) -> Data {
        switch request.fields {
        case .form(let text): return Data((text.isEmpty ? "" : text + "&").utf8) + Data(item(name, token).utf8)
        case .nothing: return try JSONBody.data(encoding: [name: token], with: JSONEncoder())
        case .json(let members):
            // The member is added to the existing bytes, which keeps the order and spelling of the others.
            let member = try JSONBody.data(encoding: [name: token], with: JSONEncoder()).dropFirst()
            var body = request.body.data ?? Data()
            while let last = body.popLast(), last != UInt8(ascii: "}") {}
            return body + Data((members.isEmpty ? "" : ",").utf8) + member
        case .other:
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the token cannot be added: the body is neither a JSON object nor a form",
                request: request
            )
        }
    }
}

extension HTTPRequest {
    /// The content of a body.
    fileprivate enum Fields {
        case nothing
        case form(String)
        case json([String: Any])
        case other
    }

    fileprivate var fields: Fields {
        if body.isAbsent { return .nothing }
        guard let data = body.data else { return .other }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") { return .form(String(decoding: data, as: UTF8.self)) }
        let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        return members.map(Fields.json) ?? .other
    }
}

extension URL {
    fileprivate var encodedQuery: String { query(percentEncoded: true) ?? "" }
}

extension String {
    /// Whether a query or form has an item with this name.
    fileprivate func hasItem(_ name: String) -> Bool {
        split(separator: "&").contains { item in
            let encoded = item.prefix { $0 != "=" }.replacing("+", with: " ")
            return encoded.removingPercentEncoding == name
        }
    }
}
