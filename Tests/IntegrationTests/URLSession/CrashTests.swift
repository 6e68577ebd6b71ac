import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
/// Responses with which a server ends the process on this toolchain (`Linux.md`, Responses that end the process).
///
/// No code above URLSession can prevent these crashes. A test that fails here names a crash that no longer happens.
@Suite(.timeLimit(.minutes(5))) struct URLSessionCrashTests {
    private static func receive(_ answer: LoopbackResponse) async {
        guard let server = try? LoopbackServer(handler: { _ in answer }) else { return }
        _ = try? await URLSessionTransport.shared.send(server.request())
    }

    @Test func `trailers end the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(LoopbackResponse.text("hello").trailers(["X-Digest": "1"]))
        }
    }

    /// The same fatal error: libcurl takes it for a body without a length, and no head has been seen.
    @Test func `a head that ends in the middle ends the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(.raw("HTTP/1.1 200 OK\r\nContent-"))
        }
    }

    @Test func `an absurd length ends the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(LoopbackResponse.text("hello").declaringLength("9223372036854775807"))
        }
    }

    @Test func `a redirect to half an address ends the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(.redirect(to: "//%127.0.0.1"))
        }
    }

    @Test func `the same exchange without trailers does not end the process`() async {
        await #expect(processExitsWith: .success) {
            await Self.receive(.text("hello"))
        }
    }
}
#endif
