import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Tests the repository pattern: one protocol, a live enum, a mock enum and a view model that uses either.
@Suite(.timeLimit(.minutes(5))) @MainActor struct RepositoryTests {
    @Test func `a view model loads by callback from a live repository`() async {
        let model = UsersViewModel(repository: LiveUsers.self)
        model.load()
        #expect(model.state == .loading)
        #expect(await model.settled() == .loaded([User(id: 1, firstName: "page=1"), User(id: 2, firstName: "Bob")]))
    }

    @Test func `a view model loads by callback from a mock repository`() async {
        let model = UsersViewModel(repository: MockUsers.self)
        model.load()
        guard case .loaded(let users) = await model.settled() else { return #expect(model.state == .loaded([])) }
        #expect(users.count == 10 && users.first == User(id: 1, firstName: "Ada"))
    }

    @Test func `a view model awaits the value or the error of the app`() async {
        let live = UsersViewModel(repository: LiveUsers.self)
        await live.loadUser(1)
        #expect(live.state == .loaded([User(id: 1, firstName: "Ann")]))
        await live.loadUser(2)
        #expect(live.state == .failed(.notFound))
        let mock = UsersViewModel(repository: MockUsers.self)
        await mock.loadUser(1)
        #expect(mock.state == .failed(.notFound))
    }

    @Test func `canceling a live request on the main actor ends it as canceled`() async {
        let model = UsersViewModel(repository: LiveUsers.self)
        model.load()
        model.cancel()
        #expect(await model.settled() == .failed(.cancelled))
    }

    @Test func `canceling the waiting task ends the call as canceled`() async {
        for repository in [LiveUsers.self, MockUsers.self] as [any UserRepository.Type] {
            let model = UsersViewModel(repository: repository)
            let task = Task { await model.loadUser(0) }
            task.cancel()
            await task.value
            #expect(model.state == .failed(.cancelled))
        }
    }

    @Test func `a callback gets the error of the app on any queue`() async {
        let result = await withCheckedContinuation { continuation in
            LiveUsers.fetchUser(id: 9).request(
                type: User.self, callback: { continuation.resume(returning: $0) })
        }
        #expect(result == .failure(.notFound))
    }

    @Test(arguments: [LiveUsers.self, MockUsers.self] as [any UserRepository.Type])
    func `a trailing closure is called on the main actor`(_ repository: any UserRepository.Type) async {
        let shown = Shown()
        let isNotFound = await withCheckedContinuation { continuation in
            repository.fetchUser(id: 9).request(type: User.self) { result in
                shown.result = result
                continuation.resume(returning: shown.result == .failure(.notFound))
            }
        }
        #expect(isNotFound)
    }

    /// State that is isolated to the main actor.
    @MainActor private final class Shown {
        var result: Result<User, AppError>?
    }

    @Test func `a target without an error type fails with NetworkError`() async throws {
        enum Plain: ProviderRequestable {
            case one
            static let provider = NetworkProvider<Plain>(MockTransport(MockAnswer.status(500).repeating()))
            var baseURL: URL { API.base }
            var path: String { "" }
            var method: HTTPMethod { .get }
            var task: NetworkTask { .requestPlain }
        }
        let error = await #expect(throws: NetworkError.self) { try await Plain.one.request(type: User.self) }
        #expect(error?.statusName == .serverError)
    }

    private struct Get<Value: Decodable & Sendable>: TargetType {
        var path: String
        var baseURL: URL { API.base }
        var method: HTTPMethod { .get }
        var task: NetworkTask { .requestPlain }

        func callAsFunction(_ transport: any Transport) async throws(NetworkError) -> Value {
            try await NetworkProvider(transport).request(self)
        }
    }
    private typealias ScoresRequest = Get<[Int]>

    @Test func `a request type can be an alias of a generic type, with an absolute URL as endpoint`() async throws {
        let mock = MockTransport(.json("[1, 2]"))
        let scores = try await ScoresRequest(path: "https://other.test/scores?a=1")(mock)
        #expect(scores == [1, 2])
        #expect(mock.requests.map(\.url.absoluteString) == ["https://other.test/scores?a=1"])
    }
}
