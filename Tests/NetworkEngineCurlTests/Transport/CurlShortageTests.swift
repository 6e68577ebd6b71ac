#if os(Linux)
@testable import NetworkEngine
@testable import NetworkEngineCurl
import TestSupport
import Testing

/// A process with too few descriptors for its requests.
@Suite(.timeLimit(.minutes(5)), .needsCurl, .needsHTTP2Server) struct CurlShortageTests {
    /// Without the last descriptor, libcurl can't open the CA certificates file, and reports that as a problem with the
    /// file.
    @Test func `requests that get no descriptor are not failures of the server`() async {
        await #expect(processExitsWith: .success) {
            let certificates = try #require(Certificates.shared)
            let server = try HTTP2Server(certificates, protocols: ["http/1.1"])
            try await withTransport(requestsPerHost: 20) {
                $0.threads = 1
                $0.tls.authorities = .file(certificates.authority)
            } _: { transport in
                // The transport's thread is running, and has one connection.
                _ = try await transport.send(server.request("/"))
                let request = server.request("/")
                let errors = try await Descriptors.withOneFree {
                    var errors: [NetworkError] = []
                    // On a single core, few requests run concurrently.
                    for _ in 0..<300 where errors.count <= 10 {
                        errors += await withTaskGroup(of: NetworkError?.self) { group in
                            for _ in 0..<10 { group.addTask { try? await transport.failure(of: request) } }
                            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
                        }
                    }
                    return errors
                }
                #expect(errors.count > 10)
                for error in errors {
                    #expect(error.kind == .limit && error.reason.contains("descriptor"), "\(error)")
                }
            }
        }
    }
}
#endif
