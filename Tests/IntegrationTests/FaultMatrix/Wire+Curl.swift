import NetworkEngine
import NetworkEngineCurl

extension Wire {
    static let curl = Wire(name: "curl", differences: curlDifferences) { connections in
        var configuration = CurlConfiguration()
        configuration.requestsPerHost = connections
        let transport = CurlTransport(configuration: configuration)
        return (transport, { transport.shutdown() })
    }

    private static let curlDifferences: [FaultCase.ID: KnownDifference] = [:]
}
