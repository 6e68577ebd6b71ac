import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// An interceptor's position in a call depends on its stage, and within a stage on the order of the list.
@Suite(.timeLimit(.minutes(5))) struct StageTests {
    /// Records when it runs, and stamps the request.
    private struct Note: RequestInterceptor {
        let name: String
        let stage: InterceptorStage
        let trail: Locked<[String]>

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Trail"] = (request.headers["X-Trail"] ?? "") + name
            return request
        }

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            trail.withLock { $0.append(name) }
            defer { trail.withLock { $0.append(name.uppercased()) } }
            return try await next(request)
        }
    }

    private struct Retrying: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    private let trail = Locked<[String]>([])

    /// One interceptor for each stage, in reverse order, followed by a second one for one of the stages.
    private var interceptors: [any RequestInterceptor] {
        [
            Note(name: "f", stage: .sending, trail: trail),
            Note(name: "e", stage: .signing, trail: trail),
            Note(name: "c", stage: .exchange, trail: trail),
            Note(name: "b", stage: .attempt, trail: trail),
            Note(name: "a", stage: .call, trail: trail),
            Note(name: "d", stage: .exchange, trail: trail),
        ]
    }

    private func provider(
        _ mock: MockTransport,
        _ more: [any RequestInterceptor] = [],
        cache: ResponseCache? = nil
    ) -> NetworkProvider<TestTarget> {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.cache = cache
        return NetworkProvider(interceptors: interceptors + more, configuration: configuration)
    }

    private var passed: String { trail.withLock { $0.joined() } }

    @Test func `a request passes the stages in order, whatever the order of the list`() async throws {
        let mock = MockTransport(.status(200))
        _ = try await provider(mock).send(TestTarget())
        #expect(passed == "abcdefFEDCBA")
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["abcdef"])
    }

    @Test func `each redirect passes the stages of an exchange, and each attempt those of an attempt`() async throws {
        let mock = MockTransport(.status(302, headers: ["Location": "/end"]), .status(503), .status(200))
        _ = try await provider(mock, [Retrying()]).send(TestTarget())
        #expect(passed == "ab" + "cdefFEDC" + "cdefFEDC" + "B" + "b" + "cdefFEDC" + "BA")
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["abcdef", "abcdef", "abcdef"])
    }

    @Test func `a response of the cache passes no interceptor that acts on what is sent`() async throws {
        let mock = MockTransport(.status(200, headers: ["Cache-Control": "max-age=60"], body: "x"))
        let provider = provider(mock, cache: ResponseCache())
        _ = try await provider.send(TestTarget())
        trail.withLock { $0 = [] }
        _ = try await provider.send(TestTarget())
        #expect(passed == "abcdeEDCBA")
        #expect(mock.requests.count == 1)
    }

    @Test func `a download passes the stages once, and its limits until the file is complete`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("file")
        let mock = MockTransport(.status(200, body: "content"))
        let target = TestTarget(task: .downloadDestination(.file(at: place)))
        let file = try await provider(mock, cache: ResponseCache()).download(target)
        #expect(try String(contentsOf: file, encoding: .utf8) == "content")
        #expect(passed == "abcdefFEDCBA")
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["abcdef"])
    }

    @Test func `an interceptor around a call sees the error after the last attempt, and can answer in its place`()
        async throws
    {
        struct Fallback: RequestInterceptor {
            var stage: InterceptorStage { .call }

            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                do {
                    return try await next(request)
                } catch let error as NetworkError where error.attempts.count == 3 {
                    return HTTPResponse(statusCode: 200, body: .data(Data("kept".utf8)), request: request)
                }
            }
        }
        let mock = MockTransport(.status(503).repeating())
        let response = try await provider(mock, [Fallback(), Retrying()]).send(TestTarget())
        #expect(response.text == "kept")
        #expect(mock.requests.count == 3)
    }

    @Test func `the deadline ends a call whose interceptor around it waits`() async throws {
        struct Waiting: RequestInterceptor {
            var stage: InterceptorStage { .call }

            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                try await Task.sleep(for: .seconds(3600))
                return try await next(request)
            }
        }
        let clock = TestClock()
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.status(200))
        (configuration.clock, configuration.deadline) = (clock, .seconds(5))
        let provider = NetworkProvider<TestTarget>(interceptors: [Waiting()], configuration: configuration)
        let call = Task { try await provider.send(TestTarget()) }
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .timeout(.deadline))
    }

    /// A layer that fails with its own error.
    private struct Broken: ExchangeLayer {
        struct Fault: Error {}

        func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange? {
            { _, _ in throw Fault() }
        }
    }

    @Test(arguments: [NetworkTask.requestPlain, .downloadDestination(.temporary)])
    func `an error below the interceptors is not one of theirs`(task: NetworkTask) async {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport()
        configuration.parts[Broken.self] = Broken()
        let provider = NetworkProvider<TestTarget>(
            interceptors: [Note(name: "b", stage: .attempt, trail: trail)], configuration: configuration)
        let error = await #expect(throws: NetworkError.self) {
            if case .requestPlain = task {
                try await provider.request(TestTarget())
            } else {
                _ = try await provider.download(TestTarget(task: task))
            }
        }
        #expect(error?.kind == .transport && error?.underlying is Broken.Fault)
        #expect(error?.request != nil)
    }
}
