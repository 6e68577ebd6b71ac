import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// The right-hand sides of “Coming from a target provider”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromTargetProvidersTests {
    // sample
    enum AppError: Error { case offline, other }

    nonisolated protocol UserRepository: TargetType, NetworkRequestable where Failure == AppError {
        static func fetchUsers(page: Int) -> Self
    }
    // end

    // sample
    enum LiveUsers: UserRepository, ProviderRequestable {
        case fetchUsers(page: Int)

        static let provider = NetworkProvider<LiveUsers>(configuration: .overTheWireOfTheTest)
        static func failure(from error: NetworkError) -> AppError { error.kind == .offline ? .offline : .other }

        var baseURL: URL { api }
        var path: String { "/users" }
        var task: NetworkTask {
            switch self {
            case .fetchUsers(let page): .requestParameters(parameters: ["page": page], encoding: .query)
            }
        }
    }
    // end

    // sample
    enum MockUsers: UserRepository, MockRequestable {
        case fetchUsers(page: Int)

        var mock: MockResponder<AppError> {
            MockResponder(fixture: "UserListResponse", in: .bundle(Fixtures.bundle), delay: .milliseconds(1))
        }
        static func failure(from error: NetworkError) -> AppError { .other }
    }
    // end

    private nonisolated struct Page: Decodable, Sendable { var total: Int }

    @Test func `calls on a repository`() async throws {
        for users in [LiveUsers.self, MockUsers.self] as [any UserRepository.Type] {
            let first = AsyncStream.makeStream(of: Result<Page, AppError>.self)
            let show: @Sendable (Result<Page, AppError>) -> Void = { first.continuation.yield($0) }
            // sample
            let request = users.fetchUsers(page: 1).request(type: Page.self) { result in show(result) }
            let page = try await users.fetchUsers(page: 1).request(type: Page.self)
            // end
            for await result in first.stream.prefix(1) { #expect(try result.get().total == page.total) }
            #expect(!request.isCancelled)
        }
    }

    enum FileAPI: TargetType {
        case send(Data), fetch(URL), list

        var baseURL: URL { api }
        var path: String { "/file" }
        var method: HTTPMethod { if case .send = self { .put } else { .get } }
        var task: NetworkTask {
            switch self {
            case .send(let data): .requestData(data)
            case .fetch(let file): .downloadDestination(.file(at: file))
            case .list: .requestCompositeParameters(bodyParameters: ["a": 1], urlParameters: ["b": 2])
            }
        }
        var validation: ResponseValidation { .statusCodes(200..<400) }
    }

    @Test func `data, text, values`() async throws {
        let provider: NetworkProvider<FileAPI> = makeProvider(MockTransport(.json("1"), .json("2"), .json("3")))
        // sample
        let data = try await provider.data(.list)
        let text = try await provider.string(.list)
        let value: Int = try await provider.request(.list)
        // end
        #expect(data == Data("1".utf8) && text == "2" && value == 3)
    }

    @Test func `uploads and downloads`() async throws {
        let provider: NetworkProvider<FileAPI> = makeProvider(MockTransport(.json("7"), .status(200, body: "file")))
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("file")
        // sample
        let answer: Int = try await provider.upload(.send(Data("x".utf8)), progress: { print($0.completed) })
        let file = try await provider.download(.fetch(place), progress: { print($0.fraction ?? 0) })
        // end
        #expect(answer == 7 && file == place)
        let error = await #expect(throws: NetworkError.self) { try await provider.data(.fetch(place)) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test func `handles`() async {
        let provider: NetworkProvider<FileAPI> = makeProvider(MockTransport(MockAnswer.hang.repeating()))
        // sample
        let requests: [any NetworkRequest] = [
            provider.data(.list) { _ in }, provider.start(.list, as: Int.self), provider.startDownload(.list),
        ]
        requests.cancel()
        // end
        #expect(requests.allSatisfy { $0.isCancelled })
    }

    @Test func `the default interceptor`() async throws {
        let mock = MockTransport(.status(401), .json("7"))
        let (monitor, session) = ((isReachable: true, id: 1), Session())
        // sample
        let interceptor = DefaultInterceptor(
            refreshToken: { await session.renew() },
            isNetworkReachable: { monitor.isReachable })
        // end
        let provider: NetworkProvider<FileAPI> = makeProvider(mock, [interceptor])
        let value: Int = try await provider.request(.list)
        #expect(value == 7 && mock.requests.count == 2)
    }

    private actor Session { func renew() -> Bool { true } }

    // sample
    struct Language: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["Accept-Language"] = "en"
            return request
        }
    }
    // end

    @Test func `an interceptor of your own`() async throws {
        let mock = MockTransport(.status(200))
        let provider: NetworkProvider<FileAPI> = makeProvider(mock, [Language()])
        try await provider.request(.list)
        #expect(mock.requests.first?.headers["Accept-Language"] == "en")
    }
}

extension NetworkConfiguration {
    /// A mock transport with one page of one user.
    fileprivate nonisolated static var overTheWireOfTheTest: NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.json(#"{"total": 1}"#).repeating())
        return configuration
    }
}
