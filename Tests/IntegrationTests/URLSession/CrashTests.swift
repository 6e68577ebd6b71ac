import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
/// The answers with which a server ends the process on this toolchain. It cannot be prevented above URLSession. If one
/// of these tests fails, the platform has been fixed, and its line in the documentation can be removed.
@Suite(.timeLimit(.minutes(5))) struct URLSessionCrashTests {
    private static func receive(_ answer: LoopbackResponse) async {
        guard let server = try? LoopbackServer(handler: { _ in answer }) else { return }
        _ = try? await URLSessionTransport.shared.send(server.request())
    }

    @Test func `L1: trailers end the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(LoopbackResponse.text("hello").trailers(["X-Digest": "1"]))
        }
    }

    /// The same fatal error: libcurl takes it for a body without a length, and no head has been seen.
    @Test func `L1: a head that ends in the middle ends the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(.raw("HTTP/1.1 200 OK\r\nContent-"))
        }
    }

    @Test func `linux 0: an absurd length ends the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(LoopbackResponse.text("hello").declaringLength("9223372036854775807"))
        }
    }

    @Test func `linux 0: a redirect to half an address ends the process`() async {
        await #expect(processExitsWith: .failure) {
            await Self.receive(.redirect(to: "//%127.0.0.1"))
        }
    }

    @Test func `the same exchange without them does not`() async {
        await #expect(processExitsWith: .success) {
            await Self.receive(.text("hello"))
        }
    }
}
#endif
