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
                let calls = (1...200).map {
                    provider.start(.user($0), as: User.self)
                }
                for call in calls { _ = try await call.value }
            }
            return Int(200 / (time / .seconds(1)))
        }
        // end
        let session = try await callsPerSecond(over: URLSessionTransport())
        guard CurlTransport.isAvailable else {
            return ["URLSession: \(session.grouped) calls a second. There is no libcurl."]
        }
        let curl = try await callsPerSecond(over: CurlTransport())
        let result = "URLSession: \(session.grouped) calls a second. libcurl: \(curl.grouped)."
        #if DEBUG
        return [result, "A release build is faster: swift run -c release demo."]
        #else
        return [result]
        #endif
    }
}
