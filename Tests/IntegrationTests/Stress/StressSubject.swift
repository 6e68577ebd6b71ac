import Foundation
import NetworkEngineCurl

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The subject of the stress test: transports that are created and released during the run.
struct StressSubject: Sendable {
    let transport: any Transport
    let shutDown: @Sendable () -> Void

    static func urlSession() -> StressSubject {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 16
        let transport = URLSessionTransport(configuration: configuration)
        return StressSubject(transport: transport) { transport.shutdown() }
    }

    static func curl() -> StressSubject {
        var configuration = CurlConfiguration()
        configuration.requestsPerHost = 16
        let transport = CurlTransport(configuration: configuration)
        return StressSubject(transport: transport) { transport.shutdown() }
    }
}
