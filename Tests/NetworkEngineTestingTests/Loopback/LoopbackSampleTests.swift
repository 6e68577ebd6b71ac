import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The samples in documentation comments, compiled.
@Suite(.timeLimit(.minutes(5)))
struct LoopbackSampleTests {
    @Test func `answers can be queued with delays and faults`() throws {
        let server = try LoopbackServer()
        server.enqueue(
            .status(503),
            .json(#"{"id": 7}"#).delayed(by: .milliseconds(50)),
            .text("hello").chunked(size: 2).fault(.reset, at: .responseBody(afterBytes: 3))
        )
        #expect(server.queuedResponseCount == 3)
    }

    @Test func `a configuration is a value with defaults`() throws {
        var configuration = LoopbackConfiguration()
        configuration.bodyRecordingLimit = 0
        let server = try LoopbackServer(configuration)
        #expect(server.requests.isEmpty)
    }

    @Test func `a gate and a scenario serve as handlers`() throws {
        enum Session { case out, `in` }
        let gate = LoopbackBarrier(count: 3)
        let gated = try LoopbackServer { _ in .text("go").held(by: gate) }
        let session = LoopbackScenario(
            Session.out,
            .init(in: .out, .post, "/login", then: .in) { _ in .json(#"{"token": "a"}"#) },
            .init(in: .in, .get, "/me") { _ in .json(#"{"name": "Ada"}"#) }
        )
        let server = try LoopbackServer(handler: session.response)
        #expect(server.port != gated.port)
    }
}
