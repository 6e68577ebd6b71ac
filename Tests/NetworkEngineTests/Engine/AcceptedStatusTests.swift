import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Targets that accept error statuses.
@Suite(.timeLimit(.minutes(5))) struct AcceptedStatusTests {
    private static let validations: [ResponseValidation] = [
        .anyResponse, .statusCodes(200..<600), .statusCodes(200..<600).contentType("text/plain"),
        .custom { _ in },
    ]

    private func provider(
        _ mock: MockTransport,
        _ interceptors: [any RequestInterceptor]
    ) -> NetworkProvider<TestTarget> {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    @Test(arguments: validations.indices) func `an accepted 401 starts a refresh`(index: Int) async throws {
        let store = InMemoryCredentialStore(BearerToken("old"))
        let refresher = TokenRefresher(store: store) { _, _ in BearerToken("new") }
        let mock = MockTransport(.text("no", status: 401), .text("yes"))
        let target = TestTarget(validation: Self.validations[index])
        let response = try await provider(mock, [refresher]).send(target)
        #expect(response.statusCode == 200)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test(arguments: validations.indices) func `an accepted 503 is repeated`(index: Int) async throws {
        let mock = MockTransport(.text("no", status: 503), .text("yes"))
        let target = TestTarget(validation: Self.validations[index])
        let policy = RetryPolicy(backoff: .constant(.zero))
        #expect(try await provider(mock, [policy]).send(target).statusCode == 200)
        #expect(mock.requests.count == 2)
    }

    @Test func `the last accepted response is the value, with its body`() async throws {
        let mock = MockTransport(MockAnswer.text("no", status: 503).repeating())
        let policy = RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))
        let response = try await provider(mock, [policy]).send(TestTarget(validation: .anyResponse))
        #expect(response.statusCode == 503 && response.body.data == Data("no".utf8))
        #expect(mock.requests.count == 2)
    }

    @Test func `a refresh that fails leaves the accepted response`() async throws {
        struct Refused: Error {}
        let store = InMemoryCredentialStore(BearerToken("old"))
        let refresher = TokenRefresher(store: store) { _, _ in throw Refused() }
        let mock = MockTransport(.text("no", status: 401))
        let response = try await provider(mock, [refresher]).send(TestTarget(validation: .anyResponse))
        #expect(response.statusCode == 401 && mock.requests.count == 1)
    }

    @Test func `a page of another type is repeated by its status, and validated once`() async throws {
        let mock = MockTransport(.text("<html>", status: 503), .json("{}"))
        let count = Locked(0)
        let validation = ResponseValidation.statusCodes(200..<600).custom { _ in count.withLock { $0 += 1 } }
            .contentType("application/json")
        let policy = RetryPolicy(backoff: .constant(.zero))
        #expect(try await provider(mock, [policy]).send(TestTarget(validation: validation)).statusCode == 200)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `an accepted status of a POST is not repeated`() async throws {
        let mock = MockTransport(.text("no", status: 503), .text("yes"))
        let policy = RetryPolicy(backoff: .constant(.zero))
        let target = TestTarget(method: .post, validation: .anyResponse)
        #expect(try await provider(mock, [policy]).send(target).statusCode == 503)
    }

    @Test func `an accepted status of a download is repeated, and no file of it remains`() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport(.text("no", status: 503), .text("yes"))
        let policy = RetryPolicy(backoff: .constant(.zero))
        let place = folder.url.appendingPathComponent("a.txt")
        let target = TestTarget(task: .downloadDestination(.file(at: place)), validation: .anyResponse)
        let file = try await provider(mock, [policy]).download(target)
        #expect(try String(contentsOf: file, encoding: .utf8) == "yes")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.txt"])
    }
}
