import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(
    .timeLimit(.minutes(5)), .needsCurl,
    .enabled(if: Certificates.shared != nil, "there is no openssl here to make certificates with")
)
struct CurlTLSTests {
    private let certificates: Certificates

    init() throws { certificates = try #require(Certificates.shared) }

    private func status(
        of name: Certificates.Name,
        arguments: [String] = [],
        _ change: (inout TLSPolicy) throws -> Void = { _ in }
    ) async throws -> Int {
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        try change(&policy)
        let server = try TLSServer(name, certificates, arguments: arguments)
        defer { withExtendedLifetime(server) {} }
        return try await withTransport({ $0.tls = policy }) {
            try await $0.send(HTTPRequest(url: server.url)).statusCode
        }
    }

    private func failure(
        of name: Certificates.Name,
        arguments: [String] = [],
        _ change: (inout TLSPolicy) throws -> Void = { _ in }
    ) async throws -> NetworkError {
        let error = await #expect(throws: NetworkError.self) {
            try await status(of: name, arguments: arguments, change)
        }
        return try #require(error)
    }

    @Test func `a certificate of the given authority is trusted, from a file and from memory`() async throws {
        #expect(try await status(of: .good) == 200)
        #expect(
            try await status(of: .good) { $0.authorities = .pem(try Data(contentsOf: certificates.authority)) } == 200)
    }

    @Test func `given authorities replace those of the system`() async throws {
        let stranger = try await failure(of: .stranger)
        #expect(stranger.transportFailure == .tlsCertificate(.untrusted), "\(stranger)")
        let unknown = try await failure(of: .good) { $0.authorities = .system }
        #expect(unknown.transportFailure == .tlsCertificate(.untrusted), "\(unknown)")
    }

    @Test(arguments: [true, false])
    func `a secure proxy is trusted by the authorities of the policy`(isOfHost: Bool) async throws {
        let proxy = try TLSServer(.good, certificates)
        defer { withExtendedLifetime(proxy) {} }
        let pem = TLSPolicy.Authorities.pem(try Data(contentsOf: certificates.authority))
        var policy = TLSPolicy()
        if isOfHost { policy.hostAuthorities = ["localhost": pem] }
        if !isOfHost { policy.authorities = .file(certificates.authority) }
        let request = HTTPRequest(url: try "http://nowhere.invalid/".url)
        let status = try await withTransport({ ($0.tls, $0.proxy) = (policy, .url(proxy.url)) }) {
            try await $0.send(request).statusCode
        }
        let failure = try await withTransport({ $0.proxy = .url(proxy.url) }) { try await $0.failure(of: request) }
        #expect(status == 200 && failure.transportFailure == .tlsCertificate(.untrusted), "\(failure)")
    }

    @Test func `a host has its own authorities, and they sign for no other host`() async throws {
        let own = TLSPolicy.Authorities.file(certificates.authority)
        let pem = TLSPolicy.Authorities.pem(try Data(contentsOf: certificates.authority))
        for authorities in [own, pem] {
            let status = try await status(of: .good) { policy in
                policy.authorities = .system
                policy.hostAuthorities = ["localhost": authorities]
            }
            #expect(status == 200)
        }
        let other = try await failure(of: .good) { policy in
            policy.authorities = .system
            policy.hostAuthorities = ["other.test": own]
        }
        #expect(other.transportFailure == .tlsCertificate(.untrusted), "\(other)")
        // Only the host's CAs count, although the others would match.
        let stranger = TLSPolicy.Authorities.file(certificates.certificate(.selfSigned))
        let pinned = try await failure(of: .good) { $0.hostAuthorities = ["LOCALHOST": stranger] }
        #expect(pinned.kind == .tls, "\(pinned)")
    }

    @Test func `authorities of hosts that are not valid are refused before any I/O`() {
        let own = TLSPolicy.Authorities.file(certificates.authority)
        let tables: [[String: TLSPolicy.Authorities]] = [
            ["https://a.test": own], ["a.test": own, "A.test": own], ["a.test": .pem(Data("x".utf8))],
            ["a.test": .file(certificates.folder.appendingPathComponent("missing.pem"))],
        ]
        for table in tables {
            var policy = TLSPolicy()
            policy.hostAuthorities = table
            let error = #expect(throws: NetworkError.self) { try policy.validate() }
            #expect(error?.kind == .invalidRequest)
        }
    }

    @Test(arguments: [
        (Certificates.Name.expired, TransportFailure.CertificateProblem.expired), (.young, .notYetValid),
        (.foreign, .wrongHost), (.selfSigned, .selfSigned),
    ])
    func `the problems of certificates are distinguished`(
        name: Certificates.Name,
        problem: TransportFailure.CertificateProblem
    ) async throws {
        let error = try await failure(of: name)
        #expect(error.kind == .tls)
        #expect(error.transportFailure == .tlsCertificate(problem), "\(error)")
    }

    @Test func `a certificate for another host is accepted only with the explicit option`() async throws {
        #expect(try await status(of: .foreign) { $0.hostVerification = .dangerouslyDisabled } == 200)
        let error = try await failure(of: .selfSigned) { $0.hostVerification = .dangerouslyDisabled }
        #expect(error.transportFailure == .tlsCertificate(.selfSigned))
    }

    @Test func `a pinned key is accepted and another is refused`() async throws {
        let good = try certificates.publicKeyPin(.good)
        let renewed = try certificates.publicKeyPin(.renewed)
        #expect(try await status(of: .good) { $0.pins = ["localhost": [good]] } == 200)
        let error = try await failure(of: .renewed) { $0.pins = ["localhost": [good]] }
        #expect(error.transportFailure == .tlsCertificate(.pinMismatch), "\(error)")
        #expect(try await status(of: .good) { $0.pins = ["other.test": [renewed]] } == 200)
    }

    @Test func `a rotated pin accepts the old and the new key`() async throws {
        let pins = [try certificates.publicKeyPin(.good), try certificates.publicKeyPin(.renewed)]
        for name in [Certificates.Name.good, .renewed] {
            #expect(try await status(of: name) { $0.pins = ["localhost": pins] } == 200)
        }
    }

    @Test func `a pin is checked on every connection`() async throws {
        let pins = [
            try certificates.publicKeyPin(.good), try certificates.certificatePin(.good),
        ]
        for pin in pins {
            var policy = TLSPolicy()
            policy.authorities = .file(certificates.authority)
            policy.pins = ["localhost": [pin]]
            let server = try TLSServer(.good, certificates)
            try await withTransport({ $0.tls = policy }) { transport in
                // The server closes each connection after its response.
                for _ in 0..<4 {
                    let response = try await transport.send(HTTPRequest(url: server.url))
                    #expect(response.statusCode == 200)
                }
            }
        }
    }

    @Test func `a pinned certificate is compared before anything is sent, also beside a pinned key`() async throws {
        let pin = try certificates.certificatePin(.good)
        let renewed = try certificates.publicKeyPin(.renewed)
        #expect(try await status(of: .good) { $0.pins = ["localhost": [pin]] } == 200)
        #expect(try await status(of: .renewed) { $0.pins = ["localhost": [pin, renewed]] } == 200)
        let error = try await failure(of: .renewed) { $0.pins = ["localhost": [pin]] }
        #expect(error.transportFailure == .tlsCertificate(.pinMismatch), "\(error)")
    }

    @Test func `a client certificate is sent on request, and its absence is reported`() async throws {
        let asking = ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority.path]
        let own = ClientCertificate.pem(certificate: certificates.certificate(.client), key: certificates.key(.client))
        #expect(try await status(of: .good, arguments: asking) { $0.clientCertificate = own } == 200)
        let error = try await failure(of: .good, arguments: asking)
        #expect(error.transportFailure == .tlsCertificate(.clientCertificateRequired), "\(error)")
    }

    @Test func `a client certificate is sent only to the named hosts`() async throws {
        let asking = ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority.path]
        let own = ClientCertificate.pem(certificate: certificates.certificate(.client), key: certificates.key(.client))
        let named = try await status(of: .good, arguments: asking) {
            ($0.clientCertificate, $0.clientCertificateHosts) = (own, ["LOCALHOST"])
        }
        #expect(named == 200)
        let error = try await failure(of: .good, arguments: asking) {
            ($0.clientCertificate, $0.clientCertificateHosts) = (own, ["other.test", "*.localhost"])
        }
        #expect(error.transportFailure == .tlsCertificate(.clientCertificateRequired), "\(error)")
    }

    @Test func `a redirect to another origin does not send the client certificate there`() async throws {
        let asking = ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority.path]
        let server = try TLSServer(.good, certificates, arguments: asking)
        let front = try LoopbackServer { [url = server.url] _ in .redirect(to: url.absoluteString) }
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        policy.clientCertificate = .pem(
            certificate: certificates.certificate(.client), key: certificates.key(.client))
        for hosts in [[], ["localhost"]] as [Set<String>] {
            policy.clientCertificateHosts = hosts
            try await withTransport({ $0.tls = policy }) { transport in
                var configuration = NetworkConfiguration()
                configuration.transport = transport
                let direct = HTTPClient(baseURL: server.url, configuration: configuration)
                let atHome = try await direct.send(.get("/")).statusCode
                #expect(atHome == 200)
                let client = HTTPClient(baseURL: front.url, configuration: configuration)
                let status = try? await client.send(.get("/")).statusCode
                #expect(status == (hosts.isEmpty ? nil : 200))
                let absolute = try? await client.send(.get(server.url.absoluteString)).statusCode
                #expect(absolute == (hosts.isEmpty ? nil : 200))
            }
        }
    }

    @Test func `a TLS version below the minimum is refused`() async throws {
        #expect(try await status(of: .good, arguments: ["-tls1_2"]) == 200)
        let error = try await failure(of: .good, arguments: ["-tls1_2"]) { $0.minimumVersion = .v1_3 }
        #expect(error.transportFailure == .tls, "\(error)")
    }

    @Test func `the handshake is measured`() async throws {
        let server = try TLSServer(.good, certificates)
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        let metrics = try await withTransport({ $0.tls = policy }) {
            try await $0.send(HTTPRequest(url: server.url)).metrics
        }
        #expect(try #require(metrics?.tlsHandshake) > .zero)
    }

    @Test func `an invalid policy fails before I/O`() async throws {
        let error = try await failure(of: .good) { $0.pins = ["localhost": [.publicKey("nonsense")]] }
        #expect(error.kind == .invalidRequest)
    }

    /// The error that `validate()` throws for a policy; `nil` if there is none.
    private func fault(_ change: (inout TLSPolicy) throws -> Void) async throws -> NetworkError? {
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        try change(&policy)
        return try await withTransport({ $0.tls = policy }) { transport in
            do throws(NetworkError) { try transport.validate() } catch { return error }
            return nil
        }
    }

    @Test(arguments: [[], ["localhost"], ["*.example.test"]] as [Set<String>])
    func `a client certificate with the key of another one does not pass validation`(hosts: Set<String>) async throws {
        let (certificate, key) = (certificates.certificate(.client), certificates.key(.client))
        let right = try await fault {
            ($0.clientCertificate, $0.clientCertificateHosts) = (.pem(certificate: certificate, key: key), hosts)
        }
        #expect(right == nil)
        let wrong = try await fault {
            $0.clientCertificate = .pem(certificate: certificate, key: certificates.key(.good))
            $0.clientCertificateHosts = hosts
        }
        #expect(wrong?.kind == .invalidRequest)
        #expect(wrong?.reason.contains("client certificate") == true, "\(wrong as Any)")
    }

    @Test func `authorities that cannot be read do not pass validation`() async throws {
        let pem = Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
        let file = try TemporaryFolder()
        let url = try file.file("broken.pem", String(decoding: pem, as: UTF8.self))
        for change: @Sendable (inout TLSPolicy) -> Void in [
            { $0.authorities = .pem(pem) }, { $0.authorities = .file(url) },
            { $0.hostAuthorities = ["*.example.test": .pem(pem)] },
        ] {
            let fault = try await fault(change)
            #expect(fault?.kind == .invalidRequest)
            #expect(fault?.reason.contains("authorities") == true, "\(fault as Any)")
        }
    }
}
