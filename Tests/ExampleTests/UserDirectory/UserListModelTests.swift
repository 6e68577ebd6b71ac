import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing
import UserDirectory

/// Tests the list with the live enum over a mock transport, and with the mock enum.
@Suite(.timeLimit(.minutes(5))) @MainActor struct UserListModelTests {
    /// The states that a screen shows, up to the final one.
    private func states(of users: any UserRepository.Type, page: Int = 1) async -> [UserListModel.State] {
        let model = UserListModel(users: users)
        let (states, change) = AsyncStream.makeStream(of: UserListModel.State.self)
        model.onChange = { state in
            change.yield(state)
            if state != .loading { change.finish() }
        }
        model.load(page: page)
        var seen: [UserListModel.State] = []
        for await state in states { seen.append(state) }
        return seen
    }

    private func overWire(_ mock: MockTransport, _ work: () async -> Void) async {
        await LiveUsers.$provider.withValue(.over(mock), operation: work)
    }

    @Test func `a list is loaded by callback from the live repository`() async throws {
        let mock = MockTransport(.fixture("UserListResponse", in: .bundle(Fixtures.bundle)))
        await overWire(mock) {
            let users = await states(of: LiveUsers.self, page: 3).last?.users
            #expect(
                users?.count == 10 && users?.first == UserDirectory.User(id: 1, firstName: "Ada", lastName: "Lovelace"))
        }
        #expect(mock.requests.map(\.url.absoluteString) == ["https://api.example.com/users?page=3"])
    }

    @Test(arguments: [
        (MockAnswer.fixture("ErrorNotFound", in: .bundle(Fixtures.bundle), status: 404), DirectoryError.notFound),
        (
            .fixture("ErrorServer", in: .bundle(Fixtures.bundle), status: 500),
            .unavailable("status 500 is not in 200..<300")
        ),
        (.failure(.offline), .offline),
    ])
    func `a failure is shown in the words of the app`(answer: MockAnswer, error: DirectoryError) async {
        await overWire(MockTransport(answer)) {
            #expect(await states(of: LiveUsers.self) == [.loading, .failed(error)])
        }
    }

    @Test func `the mock repository returns ten users or the configured error`() async {
        #expect(await states(of: MockUsers.self).last?.users?.count == 10)
        await MockUsers.$failure.withValue(.offline) {
            #expect(await states(of: MockUsers.self) == [.loading, .failed(.offline)])
        }
    }

    @Test func `a closed screen shows no later result`() async {
        await overWire(MockTransport(.hang)) {
            let model = UserListModel(users: LiveUsers.self)
            model.load()
            model.close()
            await Task.yield()
            #expect(model.state == .idle)
        }
    }
}

extension UserListModel.State {
    fileprivate var users: [UserDirectory.User]? {
        if case .loaded(let users) = self { users } else { nil }
    }
}

extension NetworkProvider {
    /// A provider over a mock transport.
    static func over(_ transport: any Transport) -> NetworkProvider {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return NetworkProvider(configuration: configuration)
    }
}
