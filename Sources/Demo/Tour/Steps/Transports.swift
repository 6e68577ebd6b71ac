import NetworkEngine
import NetworkEngineCurl
import UserDirectory

extension Step {
    static let transports = Step("transports", "Makes the same calls over URLSession and over libcurl.") { stage in
        let configuration = stage.configuration
        // sample
        @Sendable
        func callsPerSecond(over transport: any Transport) async throws -> Int {
            var configuration = configuration
            configuration.transport = transport
            let provider = NetworkProvider<ServiceAPI>(
                configuration: configuration)
            let time = try await ContinuousClock().measure {
                let calls = (1...100).map {
                    provider.start(.user($0), as: User.self)
                }
                for call in calls { _ = try await call.value }
            }
            return Int(100 / (time / .seconds(1)))
        }
        // end
        func best(of transport: any Transport) async throws -> String {
            var best = 0
            for _ in 1...rounds { best = max(best, try await callsPerSecond(over: transport)) }
            return "\(best.grouped) calls a second"
        }
        let session = try await best(of: URLSessionTransport())
        guard CurlTransport.isAvailable else { return ["URLSession: \(session). There is no libcurl."] }
        let curl = try await best(of: CurlTransport())
        return ["URLSession: \(session), best of \(rounds) rounds.", "libcurl: \(curl)\(build)."]
    }

    /// The first round opens connections.
    private static let rounds = 4

    private static var build: String {
        #if DEBUG
        ", in a debug build"
        #else
        ""
        #endif
    }
}
