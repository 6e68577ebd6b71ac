import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackScenarioTests {
    private enum Session { case out, `in` }

    @Test func `a request moves the state, and the state decides the answer`() throws {
        let session = LoopbackScenario(
            Session.out,
            .init(in: .out, .post, "/login", then: .in) { _ in .text("welcome") },
            .init(in: .in, .get, "/me") { _ in .text("Ada") },
            .init(.get) { _ in .text("who?", status: 401) }
        )
        let server = try LoopbackServer(handler: session.response)
        let client = try RawClient(server)
        for (line, answer) in [("GET /me", "who?"), ("POST /login", "welcome"), ("GET /me", "Ada")] {
            try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.read(until: answer).hasSuffix("\r\n\r\n" + answer))
        }
        #expect(session.state == .in)
        try client.send("POST /login HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.read(until: "\n").hasSuffix("No rule for POST /login in state in.\n"))
    }
}
