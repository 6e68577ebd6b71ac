import NetworkEngine
import NetworkEngineCurl

/// The libcurl of this process.
enum CurlVersion {
    /// Whether this is 8.20 or newer, as `.ci/run` puts it before the system's in one of its steps.
    static let isNew = (try? CurlLibrary.shared.get()).map { $0.number >= 0x08_14_00 } ?? false
}

extension Wire {
    static let curl = Wire(name: "curl", differences: curlDifferences) { connections in
        var configuration = CurlConfiguration()
        configuration.requestsPerHost = connections
        let transport = CurlTransport(configuration: configuration)
        return (transport, { transport.shutdown() })
    }

    /// Those of newer libraries. The first is a limit, the second a check that libcurl makes itself.
    private static let curlDifferences: [FaultCase.ID: KnownDifference] =
        CurlVersion.isNew
        ? [
            "39 5,000 headers": .sees(.ends(.fails(.limitExceeded)), "L12"),
            "74 two different Locations": .sees(
                .ends(.fails(.protocolViolation)), "L4"),
        ] : [:]
}
