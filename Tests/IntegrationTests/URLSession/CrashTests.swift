import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
/// Responses that crash the process on this toolchain (`Linux.md`, Responses that end the process).
///
/// Code above URLSession can't prevent these crashes. If a test fails here, the crash no longer happens.
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

    /// The same fatal error: libcurl treats it as a body without a length, before any head.
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
