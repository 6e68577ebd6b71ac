import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

/// A transport to test: its name, how to create it, and its known differences.
///
/// To test another transport, add it to `every` and `all`.
struct Wire: Sendable, CustomTestStringConvertible {
    /// A transport, and a function that shuts it down.
    typealias Line = (transport: any Transport, shutDown: @Sendable () -> Void)

    let name: String
    /// The known differences, by fault case.
    let differences: [FaultCase.ID: KnownDifference]
    /// Creates a transport with a number of connections per host.
    let open: @Sendable (_ connections: Int) -> Line

    var testDescription: String { name }
    var isCurl: Bool { name == Self.curl.name }

    /// Every available transport. URLSession is tested only with its own libcurl.
    static let every: [Wire] =
        CurlVersion.isNew ? [.curl] : [.urlSession, .urlSessionWithSharedConnections] + (available.map { [$0] } ?? [])
    /// The transports that the tests run over.
    static let all: [Wire] =
        CurlVersion.isNew
        ? [.curl]
        : TestTransports.chosen(
            urlSession: .urlSession, curl: available, variants: [.urlSessionWithSharedConnections])
    /// At most one of each kind, for tests that take long.
    static let distinct: [Wire] =
        CurlVersion.isNew ? [.curl] : TestTransports.chosen(urlSession: .urlSession, curl: available)
    private static let available = CurlTransport.isAvailable ? Wire.curl : nil

    static func named(_ name: String) throws -> Wire { try #require(every.first { $0.name == name }) }

    /// Provides a new transport, and shuts it down afterwards.
    func withTransport<Value>(
        connections: Int = 6,
        _ body: (any Transport) async throws -> Value
    ) async throws -> Value {
        let line = open(connections)
        defer { line.shutDown() }
        return try await body(line.transport)
    }
}

/// The libcurl of this process.
enum CurlVersion {
    /// Whether libcurl is 8.20 or newer. One step of `.ci/run` preloads such a version.
    static let isNew = (try? CurlLibrary.shared.get()).map { $0.number >= 0x08_14_00 } ?? false
}

extension Wire {
    static let curl = Wire(name: "curl", differences: curlDifferences) { connections in
        var configuration = CurlConfiguration()
        configuration.requestsPerHost = connections
        // Spreads concurrent requests. The product's own tests use one thread.
        configuration.threads = 3
        configuration.requestsUntilShared = 1
        let transport = CurlTransport(configuration: configuration)
        return (transport, { transport.shutdown() })
    }

    /// Newer libcurl versions limit the number of headers, and check for conflicting `Location` fields.
    private static let curlDifferences: [FaultCase.ID: KnownDifference] =
        CurlVersion.isNew
        ? [
            "5,000 headers": .sees(.ends(.fails(.limitExceeded)), "Response heads"),
            "two different Locations": .sees(
                .ends(.fails(.protocolViolation)), "Redirects"),
        ] : [:]
}
