import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

/// A server that replaces its HTTP/2 connections under load: `GOAWAY` announces the last request that it processes,
/// while more requests are in transit.
@Suite(.timeLimit(.minutes(5)), .needsCurl, .needsNginx) struct CurlRotationTests {
    private let certificates: Certificates

    init() throws { certificates = try #require(Certificates.shared) }

    /// Sends requests, 64 at a time, and returns the errors.
    private func failures(
        of count: Int,
        over transport: CurlTransport,
        _ request: @escaping @Sendable (Int) -> HTTPRequest
    ) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            var errors: [any Error] = []
            for number in 0..<count {
                if number >= 64, let error = await group.next() ?? nil { errors.append(error) }
                group.addTask {
                    do {
                        _ = try await transport.send(request(number))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await error in group { if let error { errors.append(error) } }
            return errors
        }
    }

    @Test(arguments: [(100, 1_500, 1), (100, 400, 100_000), (nil, 2_500, 1)])
    func `every POST is processed exactly once while the server replaces its connections`(
        requestsPerConnection: Int?,
        count: Int,
        length: Int
    ) async throws {
        let server = try await NginxServer(certificates, requestsPerConnection: requestsPerConnection)
        let body = Data(repeating: UInt8(ascii: "a"), count: length)
        try await withTransport(requestsPerHost: 64, { $0.tls.authorities = .file(certificates.authority) }) {
            // The server reads a body only to forward it.
            let url = length > 1 ? server.url.appendingPathComponent("upload") : server.url
            let failures = await failures(of: count, over: $0) { number in
                // A few requests that may be repeated share the connections.
                number.isMultiple(of: 10)
                    ? HTTPRequest(url: url, headers: ["X-Mark": "\(number)"])
                    : HTTPRequest(method: .post, url: url, headers: ["X-Mark": "\(number)"], body: .data(body))
            }
            try #require(failures.isEmpty, "\(failures.count) of \(count), first \(String(describing: failures.first))")
        }
        let marks = Set((0..<count).map(String.init))
        while try server.processed().count < count { await Task.yield() }
        let processed = try server.processed()
        #expect(Set(processed.keys) == marks)
        #expect(processed.filter { $0.value > 1 && Int($0.key)?.isMultiple(of: 10) == false } == [:])
    }

    /// Of 64 concurrent requests, the server processes seven per connection, and refuses the others.
    @Test(arguments: [HTTPMethod.get, .head, .put, .delete])
    func `no repeatable request is lost while each connection serves seven`(method: HTTPMethod) async throws {
        let server = try await NginxServer(certificates, requestsPerConnection: 7)
        let request = HTTPRequest(method: method, url: server.url)
        try await withTransport(requestsPerHost: 64, { $0.tls.authorities = .file(certificates.authority) }) {
            let count = TestLength.count(1_000, gate: 5_000, whole: 20_000)
            let failures = await failures(of: count, over: $0) { _ in request }
            try #require(failures.isEmpty, "\(failures.count) of \(count), first \(String(describing: failures.first))")
        }
    }

    /// Makes few of them notify libcurl while they are sent.
    @Test func `every GET is answered while the server replaces its connections`() async throws {
        let server = try await NginxServer(certificates, requestsPerConnection: 100)
        let request = HTTPRequest(url: server.url)
        try await withTransport(requestsPerHost: 64, { $0.tls.authorities = .file(certificates.authority) }) {
            let failures = await failures(of: 3_000, over: $0) { _ in request }
            try #require(failures.isEmpty, "\(failures.count) of 3,000, first \(String(describing: failures.first))")
        }
    }
}
