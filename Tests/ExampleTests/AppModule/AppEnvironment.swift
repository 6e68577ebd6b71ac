import Foundation
import NetworkEngine

/// Where the app finds its service, and how it reaches it.
nonisolated struct AppEnvironment: Sendable {
    var address: URL
    var configuration: NetworkConfiguration

    init(_ address: String, configuration: NetworkConfiguration = NetworkConfiguration()) {
        let url = URL(string: address)!
        self.address = url
        self.configuration = configuration
        self.configuration.baseURL = { _ in url }
        self.configuration.headers = ["X-App-Version": "2.1"]
    }

    static let production = AppEnvironment("https://api.contacts.example/v2")
    static let staging = AppEnvironment("https://staging.contacts.example/v2")
}
