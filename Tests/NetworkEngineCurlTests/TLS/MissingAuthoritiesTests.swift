#if os(Linux)
@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
import TestSupport
import Testing

/// A system without CA certificates.
@Suite(
    .timeLimit(.minutes(5)), .needsCurl,
    .enabled("there are no mount namespaces here") { try await EmptyFolderRun.isPossible() })
struct MissingAuthoritiesTests {
    @Test func `a system without CA certificates does not pass validation`() async throws {
        guard EmptyFolderRun.isInside else {
            let output = try await EmptyFolderRun.failure(of: "MissingAuthoritiesTests")
            return #expect(output == nil)
        }
        let error = #expect(throws: NetworkError.self) { try CurlTransport().validate() }
        #expect(error?.reason.contains("authorities") == true, "\(error as Any)")
        // Requests without TLS don't need any.
        let server = try LoopbackServer { _ in .text("ok") }
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.text == "ok")
    }
}
#endif
