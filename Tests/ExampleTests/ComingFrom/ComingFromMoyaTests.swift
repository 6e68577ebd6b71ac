import Dispatch
import Foundation
import NetworkEngine
import NetworkEngineResilience
import NetworkEngineTesting
import Testing

/// The right-hand sides of “Coming from Moya”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromMoyaTests {
    // sample
    enum UserAPI: TargetType {
        case user(Int), list(page: Int), create(Draft)

        var baseURL: URL { URL(string: "https://api.example.com")! }
        var path: EndpointPath { if case .user(let id) = self { "/users/\(id)" } else { "/users" } }
        var method: HTTPMethod { if case .create = self { .post } else { .get } }
        var task: NetworkTask {
            switch self {
            case .user: .requestPlain
            case .list(let page): .requestParameters(parameters: ["page": page], encoding: .query)
            case .create(let draft): .requestJSONEncodable(draft)
            }
        }
        var headers: HTTPHeaders { ["Accept": "application/json"] }
        var validation: ResponseValidation { .success }
        var authorization: AuthorizationRequirement { .required }
    }
    // end

    @Test func `by callback`() async throws {
        let provider: NetworkProvider<UserAPI> = makeProvider(MockTransport(ada))
        let queue = DispatchQueue(label: "queue")
        let first = FirstResult<User>()
        let show = first.give
        // sample
        provider.request(.user(7), as: User.self, queue: queue) { result in
            show(result)
        }
        // end
        #expect(try await first.value()?.name == "Ada")
    }

    @Test func `awaited`() async throws {
        let provider: NetworkProvider<UserAPI> = makeProvider(MockTransport(ada, users))
        // sample
        let user: User = try await provider.request(.user(7))
        let page: [User] = try await provider.request(.list(page: 2))
        // end
        #expect(page == [user])
    }

    @Test func `mapping`() async throws {
        let answer = MockAnswer.json(#"{"data": {"users": [{"id": 7, "name": "Ada"}]}}"#)
        let provider: NetworkProvider<UserAPI> = makeProvider(MockTransport(answer, .json("text"), .json("bytes")))
        // sample
        let users: [User] = try await provider.request(.list(page: 1), decoding: .json(at: "data.users"))
        let text = try await provider.string(.user(7))
        let bytes = try await provider.data(.user(7))
        // end
        #expect(users.count == 1 && text == "text" && bytes == Data("bytes".utf8))
    }

    @Test func `the response`() async throws {
        let answer = MockAnswer.json(#"{"id": 7, "name": "Ada"}"#, status: 201, headers: ["ETag": "x"])
        let provider: NetworkProvider<UserAPI> = makeProvider(MockTransport(answer))
        var shown = ""
        func show(_ status: Int, _ tag: String?) { shown = "\(status) \(tag ?? "")" }
        // sample
        let response = try await provider.response(.create(Draft(name: "Ada")), as: User.self)
        show(response.statusCode, response.headers["ETag"])
        // end
        #expect(response.value.id == 7 && shown == "201 x")
    }

    @Test func `errors`() {
        // sample
        func words(for error: NetworkError) -> String {
            switch error.kind {
            case .status where error.statusCode == 404: "nobody"
            case .offline: "offline"
            case .decoding: error.reason  // with the coding path
            default: "other"
            }
        }
        // end
        #expect(words(for: NetworkError(kind: .offline)) == "offline")
        #expect(words(for: NetworkError(kind: .decoding, reason: "users[0].name")) == "users[0].name")
    }

    // sample
    struct Stopwatch: RequestInterceptor {
        let report: @Sendable (String, Duration) -> Void

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            let start = ContinuousClock.now
            let response = try await next(request)
            report("\(request.method) \(response.statusCode)", ContinuousClock.now - start)
            return response
        }
    }
    // end

    @Test func `plugins`() async throws {
        let (reports, source) = AsyncStream.makeStream(of: String.self)
        let report: @Sendable (String, Duration) -> Void = { words, _ in source.yield(words) }
        let mock = MockTransport(ada)
        let session = (token: "t", id: 1)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let provider = NetworkProvider<UserAPI>(
            interceptors: [Stopwatch(report: report), TokenSource { session.token }], configuration: configuration)
        // end
        _ = try await provider.send(.user(7))
        source.finish()
        #expect(await reports.reduce(into: []) { $0.append($1) } == ["GET 200"])
        #expect(mock.requests.first?.headers["Authorization"] == "Bearer t")
    }

    @Test func `stubs`() async throws {
        let clock = TestClock()
        // sample
        let mock = MockTransport(
            .json(#"{"id": 7, "name": "Ada"}"#), .status(503).delayed(by: .seconds(1)), clock: clock)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let provider = NetworkProvider<UserAPI>(configuration: configuration)
        // end
        let user: User = try await provider.request(.user(7))
        #expect(user.id == 7)
        let late = Task { try await provider.request(.user(7)) }
        #expect(await clock.advanceToNextSleeper() == .seconds(1))
        await #expect(throws: NetworkError.self) { try await late.value }
    }

    @Test func `many kinds`() async throws {
        let mock = MockTransport(ada)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let provider = NetworkProvider<AnyTarget>(configuration: configuration)
        let user: User = try await provider.request(AnyTarget(UserAPI.user(7)))
        // end
        #expect(user.id == 7 && mock.requests.first?.headers["Accept"] == "application/json")
    }

    @Test func `the same request twice`() async throws {
        let clock = TestClock()
        let mock = MockTransport(ada.delayed(by: .seconds(1)), clock: clock)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let sharing = Deduplication()
        let provider = NetworkProvider<UserAPI>(interceptor: sharing, configuration: configuration)
        // end
        async let one: User = provider.request(.user(7))
        async let two: User = provider.request(.user(7))
        while sharing.waitingCalls < 2 { await Task.yield() }
        await clock.advanceToNextSleeper()
        #expect(try await one == two && mock.requests.count == 1)
    }

    @Test func `canceling and progress`() async {
        let provider: NetworkProvider<UserAPI> = makeProvider(MockTransport(.hang))
        // sample
        let handle = provider.start(.user(7), as: User.self)
        let progress = Task { for await step in handle.progress { print(step.fraction ?? 0) } }
        handle.cancel()
        // end
        await #expect(throws: NetworkError.self) { try await handle.value }
        await progress.value
        #expect(handle.isCancelled)
    }
}
