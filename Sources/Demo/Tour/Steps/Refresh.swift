import NetworkEngine

extension Step {
    static let refresh = Step("refresh", "Makes 200 calls with an expired token. One of them refreshes it.") { stage in
        let (configuration, service) = (stage.configuration, stage.service)
        let login: Login = try await NetworkProvider<ServiceAPI>(configuration: configuration)
            .request(.signIn(user: "ada", password: "correct horse"))
        service.expireTokens()
        let token = BearerToken(login.accessToken, refreshToken: login.refreshToken)
        // sample
        let store = InMemoryCredentialStore(token)
        let refresher = TokenRefresher(store: store) { old, context in
            let login: Login = try await context.request(
                ServiceAPI.refresh(old.refreshToken))
            return BearerToken(login.accessToken, refreshToken: login.refreshToken)
        }
        let provider = NetworkProvider<ServiceAPI>(
            interceptors: [refresher], configuration: configuration)
        let orders = (1...200).map { provider.start(.order($0), as: Order.self) }
        for order in orders { _ = try await order.value }
        // end
        let refreshes = service.requestCount("/token")
        try TourFailure.check(refreshes == 1, "The service received \(refreshes) refreshes.")
        let rejected = service.requestCount("/orders") - orders.count
        return [
            "\(orders.count) calls succeed with one refresh.",
            "\(rejected) were rejected first, and were sent again.",
        ]
    }
}
