import Foundation
import NetworkEngine
import NetworkEngineTesting

/// An app that passes functions where the framework takes an asynchronous closure.
///
/// Each reference is in a stored property's initializer: there, Swift 6.3.1 crashes on a parameter that is
/// `nonisolated(nonsending)`. `.ci/language` also compiles this file in the other language modes.
enum MethodReferences {
    static func renew() async throws -> Bool { true }
    static func isNetworkReachable() async -> Bool { true }
    static func sessionToken() async throws -> String? { "t" }
    static func refresh(_ old: BearerToken, _ context: RefreshContext) async throws -> BearerToken {
        let request = HTTPRequest(url: URL(fileURLWithPath: "/token"))
        return BearerToken("\(try await context.send(request).statusCode)")
    }
    static func signOut() async {}
    static func created(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(statusCode: 201, request: request)
    }
    static func page(_ request: LoopbackRequest) async -> LoopbackResponse { .status(203) }
    static func answer(to request: HTTPRequest) async throws -> MockAnswer { .status(204) }
    static func answer(to request: HTTPRequest, _ parameters: [String: String]) async throws -> MockAnswer {
        .status(205)
    }
    static func outcome() async -> Int { 7 }
    nonisolated static func ignore(_ outcome: Int) {}
    @MainActor static func show(_ outcome: Int) {}

    static let interceptor = DefaultInterceptor(refreshToken: renew, isNetworkReachable: isNetworkReachable)
    static let interceptorWithoutLabels = DefaultInterceptor(renew, isNetworkReachable)
    static let interceptorOfOneFunction = DefaultInterceptor(renew)
    static let interceptorOfAllFunctions = DefaultInterceptor(
        renew, isNetworkReachable, token: sessionToken, onSessionExpired: signOut, retryCount: 1)
    static let source = TokenSource(token: sessionToken)
    static let store = InMemoryCredentialStore(BearerToken("old"))
    static let refresher = TokenRefresher(store: store, refresh: refresh, onSessionExpired: signOut)
    static let context = RefreshContext(send: created)
    static let refreshed = Task { try await store.exclusively(outcome) }
    static let next: DefaultInterceptor.Next = created
    static let server = try? LoopbackServer(asyncHandler: page)
    static let mock = MockTransport(.handler(answer(to:)), .handler(answer(to:_:)))
    static let request = MockNetworkRequest(outcome: outcome, callback: ignore)
    static let mainRequest = MockNetworkRequest(outcome: outcome, onMain: show)

}
