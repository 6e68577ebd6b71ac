import NetworkEngine
import NetworkEngineCurl
import Testing

/// A transport that the fault matrix runs over: its name, how to make one, and what it is known to do differently.
///
/// A new transport is one more entry in `all`, with a file of its own beside this one.
struct Wire: Sendable, CustomTestStringConvertible {
    /// One transport, and how it is ended with everything it still does.
    typealias Line = (transport: any Transport, shutDown: @Sendable () -> Void)

    let name: String
    /// By the case in which it shows.
    let differences: [FaultCase.ID: KnownDifference]
    /// Makes one with so many connections to a host.
    let open: @Sendable (_ connections: Int) -> Line

    var testDescription: String { name }

    static let all: [Wire] = CurlVersion.isNew ? [.curl] : distinct + [.urlSessionWithFreshConnections]
    /// One of each kind, for what takes its time. What is known of URLSession holds over the libcurl that it was built
    /// for, and is not asked over another.
    static let distinct: [Wire] =
        CurlVersion.isNew ? [.curl] : CurlTransport.isAvailable ? [.urlSession, .curl] : [.urlSession]

    static func named(_ name: String) throws -> Wire { try #require(all.first { $0.name == name }) }

    /// Lends a new transport, and ends it.
    func withTransport<Value>(
        connections: Int = 6,
        _ body: (any Transport) async throws -> Value
    ) async throws -> Value {
        let line = open(connections)
        defer { line.shutDown() }
        return try await body(line.transport)
    }
}
