import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// The errors of failed connections.
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlPlaceTests {
    private let closed = "http://127.0.0.1:1"

    @Test func `the error of a missing Unix-domain socket has its path`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("missing").path
        let error = try await withTransport({ $0.unixSocket = path }) {
            try await $0.failure(of: HTTPRequest(url: try "http://docker/info".url))
        }
        #expect(error.transportFailure == .connect)
        #expect(error.reason.contains("Unix-domain socket \(path)"), "\(error)")
        #expect(error.reason.contains("No such file"), "\(error)")
        #expect((error.underlying as? CurlError)?.code == 7)
    }

    @Test(arguments: ["http", "https"]) func `the error of a dead proxy has its address`(scheme: String) async throws {
        let policy = ProxyPolicy.url(try closed.url)
        let error = try await withTransport({ $0.proxy = policy }) {
            try await $0.failure(of: HTTPRequest(url: try "\(scheme)://nowhere.invalid/".url))
        }
        #expect(error.transportFailure == .connect)
        #expect(error.reason.hasPrefix("the proxy 127.0.0.1:1 could not be reached"), "\(error)")
    }

    @Test func `the error of a proxy without an address has its name`() async throws {
        let policy = ProxyPolicy.url(try "http://proxy.invalid:3128".url)
        let error = try await withTransport({ $0.proxy = policy }) {
            try await $0.failure(of: HTTPRequest(url: try "http://127.0.0.1/".url))
        }
        #expect(error.transportFailure == .dns)
        #expect(error.reason.hasPrefix("the name of the proxy proxy.invalid:3128 did not resolve"), "\(error)")
    }

    @Test func `the error of a dead server does not have a proxy`() async throws {
        let error = try await withTransport { try await $0.failure(of: HTTPRequest(url: try closed.url)) }
        #expect(error.transportFailure == .connect)
        #expect(!error.reason.contains("proxy"), "\(error)")
    }

    #if os(Linux)
    @Test func `the error of a dead proxy of the environment has its address`() async {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            let url = try "http://nowhere.invalid/".url
            let error = try await withTransport({ $0.proxy = .environment }) {
                try await $0.failure(of: HTTPRequest(url: url))
            }
            #expect(error.reason.hasPrefix("the proxy 127.0.0.1:1 could not be reached"), "\(error)")
            setenv("https_proxy", "http://127.0.0.1:1", 1)
            let ofTunnel = try await withTransport({ $0.proxy = .environment }) {
                try await $0.failure(of: HTTPRequest(url: try "https://nowhere.invalid/".url))
            }
            // Since libcurl 8.23, the message contains the server's port.
            #expect(ofTunnel.reason.hasPrefix("the proxy 127.0.0.1"), "\(ofTunnel)")
            let other = try await withTransport({ $0.proxy = .environment }) {
                setenv("no_proxy", "127.0.0.1", 1)
                return try await $0.failure(of: HTTPRequest(url: try "http://127.0.0.1:1/".url))
            }
            #expect(!other.reason.contains("proxy"), "\(other)")
        }
    }
    #endif

    @Test func `equal failures have equal reasons`() async throws {
        let reasons = try await withTransport { transport in
            var reasons: Set<String> = []
            for _ in 0..<20 { reasons.insert(try await transport.failure(of: HTTPRequest(url: try closed.url)).reason) }
            return reasons
        }
        #expect(reasons.count == 1)
        let places = ["127.0.0.1 port 1", "127.0.0.1:1"]
        #expect(reasons.allSatisfy { reason in !reason.contains(" ms") && places.contains { reason.contains($0) } })
    }

    @Test(arguments: [
        (
            "Failed to connect to a.test port 80 after 7 ms: Could not connect to server",
            "Failed to connect to a.test port 80: Could not connect to server"
        ),
        ("Connection timed out after 30001 milliseconds", "Connection timed out"),
        (
            "HTTP/2 stream 15 was not closed cleanly: REFUSED_STREAM (err 7)",
            "HTTP/2 stream was not closed cleanly: REFUSED_STREAM (err 7)"
        ),
        ("CONNECT tunnel failed, response 403", "CONNECT tunnel failed, response 403"),
    ])
    func `figures that differ from failure to failure are left out`(message: String, text: String) {
        #expect(message.withoutFigures == text)
    }
}
