import NetworkEngine
import UserDirectory

extension Step {
    static let mocks = Step("mocks", "Shows one screen with the service, and with fixtures.") { stage in
        let configuration = stage.configuration
        // sample
        @MainActor
        func screen(_ users: any UserRepository.Type) async -> UserModel.State {
            let model = UserModel(users: users)
            await model.load(7)
            return model.state
        }
        let provider = NetworkProvider<LiveUsers>(configuration: configuration)
        let live = await LiveUsers.$provider.withValue(provider) {
            await screen(LiveUsers.self)
        }
        let mock = await screen(MockUsers.self)
        let failed = await MockUsers.$failure.withValue(.offline) {
            await screen(MockUsers.self)
        }
        // end
        guard case .loaded(let user) = live else { throw TourFailure("The screen shows \(live).") }
        try TourFailure.check(mock == live, "The screen shows \(mock) with fixtures.")
        try TourFailure.check(failed == .failed(.offline), "The screen shows \(failed) without a network.")
        return [
            "LiveUsers and MockUsers show \(user.firstName) \(user.lastName).",
            "A mock that fails shows the error \"offline\".",
        ]
    }
}
