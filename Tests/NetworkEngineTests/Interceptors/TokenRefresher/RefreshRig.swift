import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A server that accepts some tokens, and a refresher with scripted results.
struct RefreshRig: Sendable {
    let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
    let valid = Locked<Set<String>>(["new"])
    let refreshes = Locked(0)
    let expirations = Locked(0)
    let mock = MockTransport()

    init() {
        mock.on().answers(
            MockAnswer.handler { [valid] request in
                let token = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
                return valid.withLock { $0.contains(token) } ? .status(200) : .status(401)
            }.repeating()
        )
    }

    var refreshCount: Int { refreshes.withLock { $0 } }
    var tokens: [String?] { mock.requests.map { $0.headers["Authorization"] } }

    func refresher(
        _ options: RefreshOptions = .init(),
        _ refresh: @escaping @Sendable (BearerToken, RefreshContext) async throws -> BearerToken = { _, _ in
            BearerToken("new", refreshToken: "r2")
        }
    ) -> TokenRefresher<BearerToken> {
        TokenRefresher(
            store: store,
            options: options,
            refresh: { [refreshes] credential, context in
                refreshes.withLock { $0 += 1 }
                return try await refresh(credential, context)
            },
            onSessionExpired: { [expirations] in expirations.withLock { $0 += 1 } }
        )
    }

    func provider(
        _ interceptors: [any RequestInterceptor],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<TestTarget> {
        NetworkProvider(mock, interceptors, change)
    }
}
