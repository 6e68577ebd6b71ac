import Foundation
import NetworkEngine
import NetworkEngineCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the stress is put on: transports that are made and dropped while it goes on.
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
