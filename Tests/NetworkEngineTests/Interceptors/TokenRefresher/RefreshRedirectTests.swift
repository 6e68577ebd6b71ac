import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Redirects of refresh requests.
@Suite(.timeLimit(.minutes(5))) struct RefreshRedirectTests {
    /// A token endpoint that redirects to another origin, and an API that rejects everything.
    private static func mock(location: String) -> MockTransport {
        MockTransport(
            .handler { request in
                switch request.url.lastPathComponent {
                case "token": .status(302, headers: ["Location": location])
                case "elsewhere": .json(#"{"token": "new"}"#)
                default: .status(request.headers["Authorization"] == "Bearer new" ? 200 : 401)
                }
            }.repeating()
        )
    }

    private struct Answer: Decodable, Sendable { var token: String }

    private static let target = TestTarget(path: "/token", authorization: .anonymous)

    private static func refresher(
        _ refresh: @escaping @Sendable (RefreshContext) async throws -> Answer
    ) -> TokenRefresher<BearerToken> {
        TokenRefresher(store: InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))) { _, context in
            BearerToken(try await refresh(context).token)
        }
    }

    @Test(arguments: [("https://other.test/elsewhere", false), ("/v1/elsewhere", true)])
    func `a refresh follows redirects only within its origin`(location: String, follows: Bool)
        async throws
    {
        let mock = Self.mock(location: location)
        let refresher = Self.refresher { try await $0.request(Self.target) }
        let error = await NetworkProvider<TestTarget>(mock, [refresher]).failure(TestTarget())
        #expect((error == nil) == follows)
        #expect(error == nil || error?.kind == .authentication)
        #expect(mock.requests.contains { $0.url.lastPathComponent == "elsewhere" } == follows)
    }

    @Test func `a refresh through another client follows redirects only within its origin`() async throws {
        let mock = Self.mock(location: "https://other.test/elsewhere")
        let other = HTTPClient(mock)
        let refresher = Self.refresher { _ in try await other.request(.get("/token")) }
        #expect(await NetworkProvider<TestTarget>(mock, [refresher]).failure(TestTarget()) != nil)
        #expect(!mock.requests.contains { $0.url.host == "other.test" })
    }

    @Test func `a call that refreshes nothing follows redirects to other origins`() async throws {
        let mock = Self.mock(location: "https://other.test/elsewhere")
        let answer: Answer = try await HTTPClient(mock).request(.get("/token"))
        #expect(answer.token == "new")
    }
}
