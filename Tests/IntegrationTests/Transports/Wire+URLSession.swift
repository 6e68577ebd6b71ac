import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Wire {
    static let urlSession = Wire(name: "URLSession", differences: platform.merging(sharing) { $1 }) { connections in
        open(connections, URLSessionOptions())
    }

    /// The workaround for requests that libcurl repeats on lost connections.
    static let urlSessionWithFreshConnections = Wire(name: "URLSession, fresh", differences: platform) { connections in
        var options = URLSessionOptions()
        options.connectionsForUnsafeMethods = .fresh
        return open(connections, options)
    }

    private static func open(_ connections: Int, _ options: URLSessionOptions) -> Line {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        let transport = URLSessionTransport(configuration: configuration, options: options)
        return (transport, { transport.shutdown() })
    }

    #if canImport(FoundationNetworking)
    private static let crash = KnownDifference.endsTheProcess("linux 0", pinnedBy: "URLSessionCrashTests")
    // The platform at least reports what it cannot parse.
    private static let notRead = FaultExpectation.ends(.fails(.protocolViolation))

    private static let platform: [FaultCase.ID: KnownDifference] = [
        "12 trailers": .endsTheProcess("L1", pinnedBy: "URLSessionCrashTests"),
        "13 a length beside chunks": .sees(.ends(.ok("ok")).reuses(true), "L12"),
        "16 a length near 2^63": crash,
        "17 the end inside the head": .endsTheProcess("L1", pinnedBy: "URLSessionCrashTests"),
        "23 no reason": .sees(notRead, "L12"),
        "28 an endless body at full speed": KnownDifference(line: "linux 2", effect: .takesWhatItLikes),
        "31 a gzip bomb in memory": .takes(mebibytes: 256, "linux 8"),
        "31 a gzip bomb in a file": .takes(mebibytes: 256, "linux 8"),
        "29 gzip that ends early, the length true": .sees(.ends(.ok("hel")), "L9"),
        "40 no blank behind the colon": .sees(notRead, "linux 8"),
        "40 a value of blanks": .sees(notRead, "linux 8"),
        "44 a value in Latin-1": .sees(notRead, "L12"),
        "55 [::1]": .sees(.ends(.failsAs(.unsupported)).hits(0).after(.failsAs(.unsupported)), "linux 4"),
        // The platform does not report a redirect before its end, and drops the body when it leads nowhere.
        "74 no Location": .sees(.ends(.response(302, "")), "linux 6"),
        "33 a coding that the caller asked for": .sees(.ends(.ok("none 5")), "linux 8"),
        "75 \"//%127.0.0.1\"": crash,
        // It also does not report a redirect with a body that does not end or cannot be decoded.
        "82 a body without a length on an open connection": .sees(.ends(.fails(.timeout(.response))), "linux 6"),
        "82 a length that does not come": .sees(.ends(.fails(.timeout(.response))), "linux 6"),
        "82 an unknown coding": .sees(.ends(.fails(.contentCoding)), "linux 6"),
        "82 gzip that is none": .sees(.ends(.fails(.contentCoding)), "linux 6"),
    ]

    /// libcurl repeats a request when a reused connection is lost, with or without a body.
    private static let sharing: [FaultCase.ID: KnownDifference] = [
        "91 PUT on a stale connection": .sees(.ends(.ok("again")).hits(3), "L7"),
        "91 an empty POST on a stale connection": .sees(.ends(.ok("again")).hits(2), "L7"),
        "91 a POST on a stale connection": .sees(.ends(.fails(.lostBeforeResponse)).hits(2), "L7"),
        "92 an empty POST read, then closed": .sees(.ends(.ok("again")).hits(2), "L7"),
        "92 an empty POST read, then reset": .sees(.ends(.ok("again")).hits(2), "L7"),
        "92 a POST read, then closed": .sees(.ends(.fails(.lostBeforeResponse)).hits(2), "L7"),
        "92 a POST read, then reset": .sees(.ends(.fails(.lostBeforeResponse)).hits(2), "L7"),
    ]
    #else
    /// URLSession on Apple platforms was not measured.
    private static let platform: [FaultCase.ID: KnownDifference] = [:]
    private static let sharing: [FaultCase.ID: KnownDifference] = [:]
    #endif
}

/// Lends a new transport over URLSession, and shuts it down afterwards.
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
