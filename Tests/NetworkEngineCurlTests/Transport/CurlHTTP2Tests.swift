import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

/// Server behavior that can affect HTTP/2 exchanges.
@Suite(.timeLimit(.minutes(5)), .needsCurl, .needsHTTP2Server) struct CurlHTTP2Tests {
    private let certificates: Certificates

    init() throws { certificates = try #require(Certificates.shared) }

    private func withServer<Value>(
        _ protocols: [String],
        _ body: (HTTP2Server, CurlTransport) async throws -> Value
    ) async throws -> Value {
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        let server = try HTTP2Server(certificates, protocols: protocols)
        return try await withTransport({ $0.tls = policy }) { try await body(server, $0) }
    }

    @Test(arguments: [false, true])
    func `a response that began over HTTP/2 is not continued over HTTP/1.1`(
        streamsBody: Bool
    ) async throws {
        try await withServer(["h2", "http/1.1"]) { server, transport in
            let context = TransportContext(streamsBody: streamsBody)
            let error = await #expect(throws: NetworkError.self) {
                let response = try await transport.send(server.request("half", mark: "H1-BODY"), context: context)
                guard case .stream(let stream) = response.body else { return }
                for try await _ in stream {}
            }
            #expect(error?.transportFailure == .lostMidBody, "\(String(describing: error))")
        }
    }

    @Test func `a server that demands HTTP/1.1 gets a repeatable request again over HTTP/1.1`() async throws {
        try await withServer(["h2", "http/1.1"]) { server, transport in
            let text1 = try await transport.send(server.request("downgrade", mark: "a")).text
            #expect(text1 == "a")
            let text2 = try await transport.send(server.request("downgrade", mark: "b")).text
            #expect(text2 == "b")
        }
        try await withServer(["h2", "http/1.1"]) { server, transport in
            let error = try await transport.failure(of: server.request("downgrade", method: .post))
            #expect(error.transportFailure == .lostBeforeResponse)
        }
    }

    @Test func `no response is mixed up when a server uses both versions`() async throws {
        try await withServer(["http/1.1", "h2"]) { server, transport in
            let held = Task { [request = server.request("hold", mark: "held")] in try await transport.send(request) }
            // The first connection is in use, so a second one is opened, which can be shared.
            let text3 = try await transport.send(server.request("x", mark: "b")).text
            #expect(text3 == "b")
            let others = Task { [request = server.request("x", mark: "c")] in try await transport.send(request) }
            await letOthersRun()
            server.release()
            for (task, mark) in [(held, "held"), (others, "c")] {
                switch await task.result {
                case .success(let response): #expect(response.text == mark)
                case .failure(let error):
                    #expect((error as? NetworkError)?.transportFailure == .lostBeforeResponse, "\(error)")
                }
            }
            for number in 0..<20 {
                let response = try await transport.send(server.request("x", mark: "\(number)"))
                #expect(response.text == "\(number)")
            }
        }
    }
}
