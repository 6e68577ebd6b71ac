import NetworkEngine
import UserDirectory

extension Step {
    static let retry = Step("retry", "Calls an endpoint that fails twice.") { stage in
        let configuration = stage.configuration
        // sample
        let policy = RetryPolicy(
            attemptLimit: 3, backoff: .exponential(base: .milliseconds(20)))
        let provider = NetworkProvider<ServiceAPI>(
            interceptor: policy, configuration: configuration)
        let user: User = try await provider.request(.flaky)
        // end
        let attempts = stage.service.requestCount("/flaky")
        try TourFailure.check(attempts == 3, "The service received \(attempts) attempts.")
        return [
            "\(user.firstName) \(user.lastName) arrives in attempt \(attempts),",
            "after a status 503 and a response that broke off.",
        ]
    }
}
