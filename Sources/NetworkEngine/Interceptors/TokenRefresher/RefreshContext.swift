/// What a refresh closure works with: the provider whose call needs the credential.
///
/// ```swift
/// let refresher = TokenRefresher(store: store) { old, context in
///     let answer: TokenAnswer = try await context.request(AuthAPI.refresh(old.refreshToken))
///     return BearerToken(answer.accessToken, expiresIn: .seconds(answer.expiresIn), refreshToken: answer.refreshToken)
/// }
/// ```
/// Calls made here are marked (`RequestContext.isRefresh`): token refreshers let them pass as they are, and they have a
/// place of their own wherever others wait for one. Calls that the closure makes with a provider or client have the same
/// mark; of their token refreshers, only the one that renews lets them pass.
public struct RefreshContext: Sendable {
    private enum Way: Sendable {
        case engine(any RefreshExecutor)
        case closure(@Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse)
        case none
    }

    private let way: Way

    package init(maker: (any RefreshExecutor)?) {
        way = maker.map { .engine($0) } ?? .none
    }

    /// A context to test refresh closures with.
    public init(send: @escaping @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse) {
        way = .closure(send)
    }

    /// Sends a request; a status other than 200 to 299 is thrown.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch way {
        case .engine(let maker): return try await maker.refreshResponse(to: request)
        case .closure(let send): return try await send(request)
        case .none: throw NetworkError(kind: .unsupported, reason: "there is no provider here to send with")
        }
    }

    /// Calls a target, and decodes what comes.
    public func request<Value: Decodable & Sendable>(
        _ target: some TargetType,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        guard case .engine(let maker) = way else {
            throw NetworkError(kind: .unsupported, reason: "there is no provider here to call targets with")
        }
        return try await maker.refreshValue(of: target, as: type)
    }
}
