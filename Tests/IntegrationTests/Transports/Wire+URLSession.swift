import Foundation

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Wire {
    static let urlSession = Wire(name: "URLSession", differences: platform) { connections in
        open(connections, URLSessionOptions())
    }

    /// Includes the requests that libcurl resends after a lost connection.
    static let urlSessionWithSharedConnections = Wire(
        name: "URLSession, shared", differences: platform.merging(sharing) { $1 }
    ) { connections in
        var options = URLSessionOptions()
        options.connectionsForUnsafeMethods = .shared
        return open(connections, options)
    }

    private static func open(_ connections: Int, _ options: URLSessionOptions) -> Line {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        let transport = URLSessionTransport(configuration: configuration, options: options)
        return (transport, { transport.shutdown() })
    }

    /// The transports that support WebSockets.
    static let withWebSockets = distinct.filter { $0.isCurl || opensWebSockets }

    #if canImport(FoundationNetworking)
    private static let opensWebSockets = false
    private static let crash = KnownDifference.endsTheProcess(
        "Responses that end the process", pinnedBy: "URLSessionCrashTests")
    // The platform at least reports what it can't parse.
    private static let notRead = FaultExpectation.ends(.fails(.protocolViolation))

    private static let platform: [FaultCase.ID: KnownDifference] = [
        "trailers": .endsTheProcess("Responses that end the process", pinnedBy: "URLSessionCrashTests"),
        "a length beside chunks": .sees(.ends(.ok("ok")).reuses(true), "Response heads"),
        "a length near 2^63": crash,
        "the end inside the head": .endsTheProcess("Responses that end the process", pinnedBy: "URLSessionCrashTests"),
        "a protocol in other letters": .sees(.ends(.ok("hello")), "Response heads"),
        "no reason": .sees(notRead, "Responses that are refused"),
        "an endless body at full speed": KnownDifference(heading: "Bodies and memory", effect: .takesWhatItLikes),
        "a gzip bomb in memory": .takes(mebibytes: 256, "Limits of bodies"),
        "a gzip bomb in a file": .takes(mebibytes: 256, "Limits of bodies"),
        "gzip that ends early, the length true": .sees(.ends(.ok("hel")), "Limits of bodies"),
        "no blank behind the colon": .sees(notRead, "Responses that are refused"),
        "a value of blanks": .sees(notRead, "Responses that are refused"),
        "a value in Latin-1": .sees(notRead, "Responses that are refused"),
        "the host [::1]": .sees(
            .ends(.failsAs(.unsupported)).hits(0).after(.failsAs(.unsupported)), "Limits of requests"),
        // The platform reports a redirect only after its end, and drops the body if it leads nowhere.
        "no Location": .sees(.ends(.response(302, "")), "Limits of redirects"),
        "a coding that the caller asked for": .sees(.ends(.ok("none 5")), "Limits of bodies"),
        "Location: //%127.0.0.1": crash,
        // libcurl resends it on a lost connection, and the framework on the next.
        "PUT on a stale connection": .sees(.ends(.ok("again")).hits(3), "Repeated requests"),
        // It also doesn't report a redirect with a body that never ends or can't be decoded.
        "a redirect with a body without a length on an open connection": .sees(
            .ends(.fails(.timeout(.response))), "Limits of redirects"),
        "a redirect with a length that does not come": .sees(.ends(.fails(.timeout(.response))), "Limits of redirects"),
        "a redirect with an unknown coding": .sees(.ends(.fails(.contentCoding)), "Limits of redirects"),
        "a redirect with gzip that is none": .sees(.ends(.fails(.contentCoding)), "Limits of redirects"),
    ]

    /// libcurl resends any request if a reused connection is lost, with or without a body.
    private static let sharing: [FaultCase.ID: KnownDifference] = [
        "an empty POST on a stale connection": .sees(.ends(.ok("again")).hits(2), "Repeated requests"),
        "a POST on a stale connection": .sees(.ends(.fails(.lostBeforeResponse)).hits(2), "Repeated requests"),
        "an empty POST read, then closed": .sees(.ends(.ok("again")).hits(2), "Repeated requests"),
        "an empty POST read, then reset": .sees(.ends(.ok("again")).hits(2), "Repeated requests"),
        "a POST read, then closed": .sees(.ends(.fails(.lostBeforeResponse)).hits(2), "Repeated requests"),
        "a POST read, then reset": .sees(.ends(.fails(.lostBeforeResponse)).hits(2), "Repeated requests"),
    ]
    #else
    private static let opensWebSockets = true
    /// URLSession on Apple platforms was not measured.
    private static let platform: [FaultCase.ID: KnownDifference] = [:]
    private static let sharing: [FaultCase.ID: KnownDifference] = [:]
    #endif
}

/// Provides a new transport over URLSession, and shuts it down afterwards.
func withTransport<Value>(
    connections: Int = 6,
    _ body: (URLSessionTransport) async throws -> Value
) async throws -> Value {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    let transport = URLSessionTransport(configuration: configuration)
    defer { transport.shutdown() }
    return try await body(transport)
}
