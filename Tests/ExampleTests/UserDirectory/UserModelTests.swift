import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing
import UserDirectory

/// Tests the model that awaits one user.
@Suite(.timeLimit(.minutes(5))) @MainActor struct UserModelTests {
    private static let frances = UserDirectory.User(id: 7, firstName: "Frances", lastName: "Allen")

    @Test func `a user is loaded from the live and the mock repository`() async {
        let mock = MockTransport(.fixture("User", in: .bundle(Fixtures.bundle)))
        await LiveUsers.$provider.withValue(.over(mock)) {
            for users in [LiveUsers.self, MockUsers.self] as [any UserRepository.Type] {
                let model = UserModel(users: users)
                await model.load(7)
                #expect(model.state == .loaded(Self.frances))
            }
        }
        #expect(mock.requests.map(\.url.path) == ["/users/7"])
    }

    @Test func `a missing user is reported as not found`() async {
        let answer = MockAnswer.fixture("ErrorNotFound", in: .bundle(Fixtures.bundle), status: 404)
        await LiveUsers.$provider.withValue(.over(MockTransport(answer))) {
            let model = UserModel(users: LiveUsers.self)
            await model.load(11)
            #expect(model.state == .failed(.notFound))
        }
    }

    @Test func `the states of the model can be observed`() async {
        let model = UserModel(users: MockUsers.self)
        await model.load(7)
        await MockUsers.$failure.withValue(.offline) { await model.load(7) }
        var seen: [UserModel.State] = []
        for await state in model.states.prefix(4) { seen.append(state) }
        #expect(seen == [.loading, .loaded(Self.frances), .loading, .failed(.offline)])
    }

    @Test func `canceling the task that loads cancels the request`() async {
        await LiveUsers.$provider.withValue(.over(MockTransport(.hang))) {
            let model = UserModel(users: LiveUsers.self)
            let task = Task { await model.load(7) }
            task.cancel()
            await task.value
            #expect(model.state == .idle)
        }
    }
}
