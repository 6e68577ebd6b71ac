import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Wire {
    static let urlSession = Wire(name: "URLSession", differences: urlSessionDifferences) { connections in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        let transport = URLSessionTransport(configuration: configuration)
        return (transport, { transport.shutdown() })
    }

    #if canImport(FoundationNetworking)
    private static let urlSessionDifferences: [FaultCase.ID: KnownDifference] = [
        "17 the end inside the head": .endsTheProcess("L1", pinnedBy: "URLSessionCrashTests"),
        "75 \"//%127.0.0.1\"": .endsTheProcess("linux 0", pinnedBy: "URLSessionCrashTests"),
        "12 trailers": .endsTheProcess("L1", pinnedBy: "URLSessionCrashTests"),
        // What the platform does not read at all it at least calls what it is.
        "23 no reason": .sees(.ends(.fails(.protocolViolation)), "L12"),
        "29 gzip that ends early, the length true": .sees(.ends(.ok("hel")), "L9"),
        "40 no blank behind the colon": .sees(.ends(.fails(.protocolViolation)), "linux 8"),
        "40 a value of blanks": .sees(.ends(.fails(.protocolViolation)), "linux 8"),
        "44 a value in Latin-1": .sees(.ends(.fails(.protocolViolation)), "L12"),
        "16 a length near 2^63": .endsTheProcess("linux 0", pinnedBy: "URLSessionCrashTests"),
    ]
    #else
    /// What URLSession does on Apple platforms was not measured.
    private static let urlSessionDifferences: [FaultCase.ID: KnownDifference] = [:]
    #endif
}
