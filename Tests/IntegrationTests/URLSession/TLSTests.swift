import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A CA that this machine doesn't trust, as with everybody's first server.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TLSFront.isPossible, "python3 and openssl are not installed"))
struct URLSessionTLSTests {
    @Test(
        arguments: [
            (.good, .untrusted), (.selfSigned, .selfSigned), (.oldVersion, .untrusted),
        ] as [(TLSPorts.Port, TransportFailure.CertificateProblem)])
    func `an untrusted certificate is not accepted`(
        port: TLSPorts.Port,
        problem: TransportFailure.CertificateProblem
    ) async throws {
        let front = try await TLSFront.start([port])
        let error = try await withTransport { try await $0.failure(of: HTTPRequest(url: front.ports.url(port))) }
        #expect(error.transportFailure == .tlsCertificate(problem), "\(error)")
        #expect(error.kind == .tls)
    }

    @Test func `plain HTTP to a TLS port gets no response`() async throws {
        let front = try await TLSFront.start([.good])
        let request = HTTPRequest(url: try front.ports.url(.good, scheme: "http"))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.transportFailure == .lostBeforeResponse, "\(error)")
    }
}

/// Failures before there is a certificate.
@Suite(.timeLimit(.minutes(5))) struct URLSessionHandshakeTests {
    private func request(_ server: LoopbackServer) throws -> HTTPRequest {
        HTTPRequest(url: try server.tlsURL)
    }

    @Test(arguments: [
        LoopbackResponse.text("plain"), .raw("SSH-2.0-OpenSSH_9.2\r\n", then: .close),
    ])
    func `TLS to a port without TLS is a TLS failure`(answer: LoopbackResponse)
        async throws
    {
        let server = try LoopbackServer { _ in answer }
        let error = try await withTransport { try await $0.failure(of: request(server)) }
        #expect(error.transportFailure == .tls, "\(error)")
    }

    /// To libcurl, a reset is the same wherever it occurs (`URLSessionKnownLimits`).
    @Test(arguments: [(.close, .tls), (.reset, .lostBeforeResponse)] as [(LoopbackFault, TransportFailure)])
    func `a connection that is lost in the handshake is a failure`(
        fault: LoopbackFault,
        failure: TransportFailure
    ) async throws {
        let server = try LoopbackServer()
        server.enqueue(.fault(fault, at: .requestStart))
        let error = try await withTransport { try await $0.failure(of: request(server)) }
        #expect(error.transportFailure == failure, "\(error)")
    }

    @Test func `a handshake without an answer ends at its timeout`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.fault(.stall, at: .requestStart))
        let clock = TestClock()
        let control = ExchangeTimeout(timeout: .seconds(5), timers: TimerQueue(timebase: .reading(clock)))
        let context = TransportContext().limited(by: control)
        let error = try await withTransport { transport in
            async let failure = transport.failure(of: request(server), context: context)
            try await server.wait { $0.acceptedConnections == 1 }
            let time = Task { while !Task.isCancelled { await clock.advanceToNextSleeper() } }
            defer { time.cancel() }
            return try await failure
        }
        #expect(error.transportFailure == .timeout(.response))
        #expect(error.kind == .timeout)
    }
}

#if canImport(FoundationNetworking)
/// The same certificates, with their CA trusted by the system.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("python3, openssl or namespaces are missing") { try await TrustedRun.isPossible() }
)
struct URLSessionTrustedTLSTests {
    private static let problems: [(TLSPorts.Port, TransportFailure)] = [
        (.expired, .tlsCertificate(.expired)),
        (.notYetValid, .tlsCertificate(.notYetValid)),
        (.wrongHost, .tlsCertificate(.wrongHost)),
        (.selfSigned, .tlsCertificate(.selfSigned)),
        (.clientRequired, .tlsCertificate(.clientCertificateRequired)),
    ]

    @Test func `with a known authority the rest of the certificate is checked`() async throws {
        guard let ports = TrustedRun.ports else {
            let front = try await TLSFront.start(Set(TLSPorts.Port.allCases))
            let failure = try await TrustedRun.failure(of: "URLSessionTrustedTLSTests", trusting: front)
            return #expect(failure == nil, "\(failure ?? "")")
        }
        try await withTransport { transport in
            for (port, problem) in Self.problems {
                let error = try await transport.failure(of: HTTPRequest(url: ports.url(port)))
                #expect(error.transportFailure == problem, "\(port): \(error)")
                #expect(error.kind == .tls)
            }
            for (port, version) in [(TLSPorts.Port.good, "TLSv1.3"), (.oldVersion, "TLSv1.2")] {
                let response = try await transport.send(HTTPRequest(url: ports.url(port)))
                #expect(response.text == "\(version) nobody")
            }
        }
    }
}
#endif
