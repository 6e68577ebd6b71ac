import Foundation
import NetworkEngineResilience
import NetworkEngineStreams
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Interceptor lists that don't work together.
@Suite(.timeLimit(.minutes(5))) struct RefusedListTests {
    private let mock = MockTransport(MockAnswer.status(200, body: "1").repeating())
    private let list: [any RequestInterceptor] = [RetryPolicy(), Hedging(after: .seconds(1))]

    private var configuration: NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }

    private func expectRefusal(_ call: () async throws -> Void) async {
        let error = await #expect(throws: NetworkError.self) { try await call() }
        #expect(error?.kind == .unsupported && error?.reason.contains("twice as many") == true)
    }

    @Test func `every call fails before anything is sent`() async throws {
        let provider = NetworkProvider<TestTarget>(interceptors: list, configuration: configuration)
        let client = HTTPClient(baseURL: API.base, interceptors: list, configuration: configuration)
        await expectRefusal { try provider.validate() }
        await expectRefusal { _ = try await provider.data(TestTarget()) }
        await expectRefusal { _ = try await provider.start(TestTarget(), as: Int.self).value }
        await expectRefusal { _ = try await provider.stream(TestTarget()) }
        await expectRefusal { _ = try await provider.download(TestTarget(task: .downloadDestination(.temporary))) }
        await expectRefusal { try await provider.upload(TestTarget(method: .post, task: .requestData(Data("x".utf8)))) }
        await expectRefusal { try await client.send(.get("/a")) }
        await expectRefusal { for try await _ in client.events(.get("/a")) {} }
        await expectRefusal {
            _ = try await withCheckedThrowingContinuation { continuation in
                _ = provider.request(TestTarget(), as: Int.self, queue: .global()) { continuation.resume(with: $0) }
            }
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func `a copy with a conflicting interceptor fails, and the first provider does not`() async throws {
        let provider = NetworkProvider<TestTarget>(interceptor: RetryPolicy(), configuration: configuration)
        await expectRefusal { _ = try await provider.adding(Hedging(after: .seconds(1))).data(TestTarget()) }
        _ = try await provider.data(TestTarget())
    }
}
