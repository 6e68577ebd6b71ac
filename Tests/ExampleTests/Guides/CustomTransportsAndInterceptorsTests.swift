import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of “Custom transports and interceptors”.
@Suite(.timeLimit(.minutes(5))) struct CustomTransportsAndInterceptorsTests {
    private enum UserAPI: TargetType, SlowTarget {
        case user

        var baseURL: URL { api }
        var path: String { "/users/7" }
        var isSlow: Bool { true }
    }

    // sample
    struct Signature: RequestInterceptor {
        let sign: @Sendable (Data) -> String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            let text = "\(request.method.rawValue) \(request.url.path) \(context.attempt)"
            request.headers["X-Signature"] = sign(Data(text.utf8))
            return request
        }
        var mayWait: Bool { false }
    }
    // end

    @Test func `an interceptor changes requests`() async throws {
        let mock = MockTransport(.status(204))
        // sample
        let interceptors = [Signature { data in data.base64EncodedString() }] + .recommended()
        // end
        try interceptors.validate()
        try await makeClient(mock, interceptors).send(.get("/"))
        #expect(mock.requests.first?.headers["X-Signature"] != nil)
    }

    // sample
    struct Stopwatch: RequestInterceptor {
        let report: @Sendable (String, Duration) -> Void

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: @escaping Next
        ) async throws -> HTTPResponse {
            let start = ContinuousClock.now
            let response = try await next(request)
            report("\(request.method) \(response.statusCode)", ContinuousClock.now - start)
            return response
        }
    }
    // end

    @Test func `an interceptor wraps what follows`() async throws {
        let reports = Locked<[String]>([])
        let stopwatch = Stopwatch { text, _ in reports.withLock { $0.append(text) } }
        try await makeClient(MockTransport(.status(204)), [stopwatch]).send(.get("/"))
        #expect(reports.withLock { $0 } == ["GET 204"])
    }

    // sample
    struct Maintenance: RequestInterceptor {
        struct Closed: Error {}

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            guard error.statusCode == 503 else { return .doNotRetry }
            return context.isLastAttempt ? .fail(Closed()) : .retryAfter(.milliseconds(100))
        }
    }
    // end

    @Test func `an interceptor advises after a failure`() async throws {
        let (mock, clock) = (MockTransport(MockAnswer.status(503).repeating()), TestClock())
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock, configuration.attemptLimit) = (mock, clock, 2)
        let client = HTTPClient(baseURL: api, interceptors: [Maintenance()], configuration: configuration)
        let call = Task { try await client.send(.get("/")) }
        #expect(await clock.advanceToNextSleeper() == .milliseconds(100))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.underlying is Maintenance.Closed && mock.requests.count == 2)
    }

    // sample
    nonisolated protocol SlowTarget { var isSlow: Bool { get } }

    struct Patience: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            guard let target = context.target as? any SlowTarget, target.isSlow else { return request }
            var request = request
            request.timeout = .seconds(300)
            return request
        }
    }
    // end

    @Test func `an interceptor knows the target`() async throws {
        let mock = MockTransport(.status(204))
        let provider: NetworkProvider<UserAPI> = makeProvider(mock, [Patience()])
        try await provider.request(.user)
        #expect(mock.requests.first?.timeout == .seconds(300))
    }

    // sample
    struct SignedBody: RequestInterceptor {
        let sign: @Sendable (HTTPRequest) -> String
        var stage: InterceptorStage { .signing }

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.setCredential(sign(request), for: "X-Signature", identity: "app")
            return request
        }
    }
    // end

    @Test func `a signature covers what later interceptors of the list change`() async throws {
        let mock = MockTransport(.status(204))
        let signed = SignedBody { request in "\(request.timeout ?? .zero)" }
        let provider: NetworkProvider<UserAPI> = makeProvider(mock, [signed, Patience()])
        try await provider.request(.user)
        #expect(mock.requests.first?.headers["X-Signature"] == "300.0 seconds")
    }

    // sample
    struct Fallback: RequestInterceptor {
        let old: @Sendable (HTTPRequest) -> HTTPResponse?
        var stage: InterceptorStage { .call }

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            do {
                return try await next(request)
            } catch {
                guard let response = old(request) else { throw error }
                return response
            }
        }
    }
    // end

    @Test func `an interceptor around the call answers after the last attempt`() async throws {
        let fallback = Fallback { HTTPResponse(statusCode: 200, body: .data(Data("old".utf8)), request: $0) }
        let client = makeClient(MockTransport(.status(503).repeating()), [fallback])
        let text = try await client.request(.get("/"), decoding: .string)
        #expect(text == "old")
    }

    @Test func `a hook is tested without a server`() async throws {
        // sample
        let request = HTTPRequest(url: api)
        let signed = try await Signature { _ in "s" }.adapt(request, context: RequestContext(attempt: 1))
        #expect(signed.headers["X-Signature"] == "s")
        let busy = HTTPResponse(statusCode: 503, request: request)
        let error = NetworkError(kind: .status, request: request, response: busy)
        let advice = await Maintenance().retry(after: error, context: RequestContext())
        // end
        guard case .retryAfter(.milliseconds(100)) = advice else { return #expect(Bool(false)) }
    }

    // sample
    struct FileTransport: Transport {
        let folder: URL

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            let file = folder.appendingPathComponent(request.url.path)
            guard let data = try? Data(contentsOf: file) else { return HTTPResponse(statusCode: 404, request: request) }
            let headers: HTTPHeaders = ["Content-Type": "application/json"]
            return HTTPResponse(statusCode: 200, headers: headers, body: .data(data), request: request)
        }
    }
    // end

    @Test func `a transport answers from files`() async throws {
        let place = try TemporaryFolder()
        let folder = place.url
        defer { withExtendedLifetime(place) {} }
        try Data(#"{"id": 7, "name": "Ada"}"#.utf8).write(to: folder.appendingPathComponent("ada"))
        // sample
        var configuration = NetworkConfiguration()
        configuration.transport = FileTransport(folder: folder)
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let user: User = try await client.request(.get("/ada"))
        // end
        #expect(user.name == "Ada")
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/bob")) }
        #expect(error?.statusName == .notFound)
    }

    private struct Broken: Transport {
        let error: any Error

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse { throw error }
    }

    @Test func `the error of a transport has a kind`() async throws {
        let errors: [(any Error, NetworkErrorKind)] = [
            (URLError(.timedOut), .timeout), (URLError(.cannotFindHost), .connection), (FileFault(), .transport),
        ]
        for (cause, kind) in errors {
            var configuration = NetworkConfiguration()
            configuration.transport = Broken(error: cause)
            let client = HTTPClient(baseURL: api, configuration: configuration)
            let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/")) }
            #expect(error?.kind == kind && (error?.underlying as? URLError) == (cause as? URLError))
        }
    }

    private struct FileFault: Error {}

    // sample
    struct Routed: Transport {
        let first: any Transport
        let second: any Transport

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            let isFirst = request.url.host == "api.example.com"
            return try await (isFirst ? first : second).send(request, context: context)
        }

        func validate() throws(NetworkError) {
            try first.validate()
            try second.validate()
        }
    }
    // end

    @Test func `a transport chooses between others`() async throws {
        let (first, second) = (MockTransport(.status(204)), MockTransport(.status(204)))
        var configuration = NetworkConfiguration()
        configuration.transport = Routed(first: first, second: second)
        let client = HTTPClient(baseURL: api, configuration: configuration)
        try await client.send(.get("/"))
        try await client.send(.get("https://other.example.com/"))
        #expect(first.requests.count == 1 && second.requests.count == 1)
    }
}
