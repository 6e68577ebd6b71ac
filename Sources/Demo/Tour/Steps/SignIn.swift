import NetworkEngine
import UserDirectory

extension Step {
    static let signIn = Step("sign-in", "Signs in, and sends the token with the next call.") { stage in
        let configuration = stage.configuration
        // sample
        let provider = NetworkProvider<ServiceAPI>(configuration: configuration)
        let login: Login = try await provider.request(
            .signIn(user: "ada", password: "correct horse"))
        let session = provider.adding(TokenSource { login.accessToken })
        let me: User = try await session.request(.me)
        // end
        return [
            "\(me.firstName) \(me.lastName) is signed in.",
            "The files below show neither password nor token.",
        ]
    }
}
