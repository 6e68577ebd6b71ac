import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CallDeadlineTests {
    private let clock = TestClock()

    private struct Search: TargetType {
        var baseURL: URL { API.base }
        var path: String { "/search" }
        var deadline: Duration? { .seconds(2) }
    }

    private struct Seconds: TargetType {
        var baseURL: URL { API.base }
        var path: String { "/search" }
        var deadline: TimeInterval { 2 }
    }

    private func configuration(_ deadline: Duration?) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(MockAnswer.hang.repeating()), clock)
        configuration.deadline = deadline
        return configuration
    }

    /// Checks that a call ends after exactly two seconds.
    private func expectEnd(_ call: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await call() }
        await clock.untilSleeping()
        #expect(clock.pendingSleepers.first == TestClock.Instant(offset: .seconds(2)))
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.transportFailure == .timeout(.deadline))
    }

    @Test(arguments: [nil, Duration.seconds(30)])
    func `a target has a deadline of its own, and the shorter one ends the call`(of configured: Duration?) async throws
    {
        let provider = NetworkProvider<Search>(configuration: configuration(configured))
        try await expectEnd { _ = try await provider.data(Search()) }
    }

    @Test func `the shorter deadline of the configuration ends the call`() async throws {
        var target = AnyTarget(Search())
        target.deadline = .seconds(9)
        let provider = NetworkProvider<AnyTarget>(configuration: configuration(.seconds(2)))
        try await expectEnd { [target] in _ = try await provider.data(target) }
    }

    @Test func `a handle has the deadline of its target`() async throws {
        let provider = NetworkProvider<Seconds>(configuration: configuration(nil))
        try await expectEnd { _ = try await provider.start(Seconds(), as: Int.self).value }
    }

    @Test func `a callback gets the end by the deadline of its target`() async throws {
        let provider = NetworkProvider<Search>(configuration: configuration(nil))
        try await expectEnd {
            let result = await withCheckedContinuation { continuation in
                _ = provider.request(Search(), as: Int.self, queue: .global()) { continuation.resume(returning: $0) }
            }
            _ = try result.get()
        }
    }

    @Test(arguments: [true, false])
    func `uploads and downloads have the deadline of their target`(isUpload: Bool) async throws {
        var target = AnyTarget(Search())
        target.task = isUpload ? .requestData(Data("x".utf8)) : .downloadDestination(.temporary)
        target.method = isUpload ? .post : .get
        let provider = NetworkProvider<AnyTarget>(configuration: configuration(.seconds(30)))
        try await expectEnd { [target] in
            if isUpload {
                try await provider.upload(target)
            } else {
                _ = try await provider.download(target)
            }
        }
    }

    @Test func `a stream has the deadline of its target until its head`() async throws {
        let provider = NetworkProvider<Search>(configuration: configuration(nil))
        try await expectEnd { _ = try await provider.stream(Search()) }
    }

    @Test func `endpoints have deadlines`() async throws {
        let client = HTTPClient(baseURL: API.base, configuration: configuration(nil))
        try await expectEnd { try await client.send(.get("/a").deadline(.seconds(2))) }
    }

    @Test func `the deadline of a typed endpoint replaces that of its endpoint`() async throws {
        var endpoint = TypedEndpoint<Int>(.get("/a").deadline(.seconds(1)))
        endpoint.deadline = .seconds(2)
        let client = HTTPClient(baseURL: API.base, configuration: configuration(nil))
        try await expectEnd { [endpoint] in _ = try await client.request(endpoint) }
    }
}
