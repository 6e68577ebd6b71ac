/// Makes calls for a refresh closure, with the provider of the call that needs the credential.
///
/// ```swift
/// let refresher = TokenRefresher(store: store) { old, context in
///     let answer: TokenAnswer = try await context.request(AuthAPI.refresh(old.refreshToken))
///     return BearerToken(answer.accessToken, expiresIn: .seconds(answer.expiresIn), refreshToken: answer.refreshToken)
/// }
/// ```
/// These calls are marked (`RequestContext.isRefresh`): token refreshers do not change them, and limits reserve
/// capacity for them. Calls that the closure makes with a provider or client have the same mark, but only the refresher
/// that runs the closure leaves them unchanged.
public struct RefreshContext: Sendable {
    private enum Sender: Sendable {
        case engine(any RefreshExecutor)
        case closure(@Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse)
        case none
    }

    private let sender: Sender

    init(executor: (any RefreshExecutor)?) {
        sender = executor.map { .engine($0) } ?? .none
    }

    /// Creates a context for testing refresh closures.
    public init(send: @escaping @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse) {
        sender = .closure(send)
    }

    /// Sends a request. Throws for a status outside 200 to 299.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        switch sender {
        case .engine(let executor): return try await executor.refreshResponse(to: request)
        case .closure(let send): return try await send(request)
        case .none: throw NetworkError(kind: .unsupported, reason: "this context has no provider to send requests with")
        }
    }

    /// Calls a target and decodes the response.
    public func request<Value: Decodable & Sendable>(
        _ target: some TargetType,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        guard case .engine(let executor) = sender else {
            throw NetworkError(kind: .unsupported, reason: "this context has no provider to call targets with")
        }
        return try await executor.refreshValue(of: target, as: type)
    }
}
