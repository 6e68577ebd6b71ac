import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ExchangeStateMachineTests {
    private func sending(
        limit: Int64 = .max,
        streams: Bool = false,
        followsRedirects: Bool = false
    ) -> ExchangeStateMachine {
        let rules = ExchangeStateMachine.Rules(bodyLimit: limit, streams: streams, followsRedirects: followsRedirects)
        var machine = ExchangeStateMachine(rules)
        _ = machine.begin()
        _ = machine.admit()
        _ = machine.send()
        return machine
    }

    private func head(_ status: Int, _ headers: HTTPHeaders = [:], method: HTTPMethod = .get)
        -> NetworkEngine.ResponseHead
    {
        NetworkEngine.ResponseHead(statusCode: status, headers: headers, method: method)
    }

    @Test func `a head, a body and the end are a success`() {
        var machine = sending()
        expect(machine.receive(head(200)), .collect)
        expect(machine.receive(count: 5), .keep)
        expect(machine.end(hasFailed: false), .success)
        #expect(machine.isOver)
    }

    @Test func `an exchange that is aborted before its task never starts`() {
        var machine = ExchangeStateMachine()
        expect(machine.abort(.cancelled), .aborted(.cancelled, during: .queue))
        expect(machine.begin(), false)
    }

    @Test func `an exchange that is aborted in the queue ignores a late permit`() {
        var machine = ExchangeStateMachine()
        _ = machine.begin()
        expect(machine.abort(.timedOut), .aborted(.timedOut, during: .queue))
        expect(machine.admit(), false)
    }

    @Test func `an exchange that was aborted while it connected is not sent after that`() {
        var machine = ExchangeStateMachine()
        _ = machine.begin()
        _ = machine.admit()
        expect(machine.abort(.timedOut), .aborted(.timedOut, during: .connect))
        expect(machine.send(), false)
    }

    @Test func `an exchange is admitted again for another connection`() {
        var machine = sending()
        expect(machine.admit(), true)
        expect(machine.abort(.timedOut), .aborted(.timedOut, during: .response))
    }

    @Test func `the phase tells whether the server may have received the request`() {
        var machine = ExchangeStateMachine()
        _ = machine.begin()
        _ = machine.admit()
        var connecting = machine
        expect(connecting.abort(.timedOut), .aborted(.timedOut, during: .connect))
        _ = machine.send()
        var responding = machine
        expect(responding.abort(.timedOut), .aborted(.timedOut, during: .response))
        _ = machine.receive(head(200))
        expect(machine.abort(.timedOut), .aborted(.timedOut, during: .body))
    }

    @Test func `a further head starts the body again`() {
        var machine = sending()
        _ = machine.receive(head(401))
        _ = machine.receive(count: 5)
        expect(machine.receive(head(200, ["Content-Length": "2"])), .collect)
        _ = machine.receive(count: 2)
        #expect(machine.received == 2)
        expect(machine.end(hasFailed: false), .success)
    }

    @Test func `interim heads are ignored, and without a final head there is no response`() {
        var machine = sending()
        expect(machine.receive(head(103)), .ignore)
        expect(machine.end(hasFailed: false), .noResponse)
    }

    @Test func `switching protocols is a violation`() {
        var machine = sending()
        guard case .abort(.violation) = machine.receive(head(101)) else { return #expect(Bool(false)) }
    }

    @Test func `a second response inside a streamed body is a violation`() {
        var machine = sending(streams: true)
        expect(machine.receive(head(200)), .stream)
        guard case .abort(.violation) = machine.receive(head(200)) else { return #expect(Bool(false)) }
    }

    @Test func `only a successful response is streamed`() {
        var machine = sending(limit: 4, streams: true)
        expect(machine.receive(head(404)), .collect)
        #expect(!machine.isStreaming)
        expect(machine.receive(count: 5), .abort(.bodyTooLarge(limit: 4)))
    }

    @Test func `a streamed body has no limit`() {
        var machine = sending(limit: 4, streams: true)
        expect(machine.receive(head(200, ["Content-Length": "5"])), .stream)
        expect(machine.receive(count: 5), .keep)
        expect(machine.end(hasFailed: false), .success)
    }

    @Test func `fewer bytes than announced are not a success`() {
        var machine = sending()
        _ = machine.receive(head(200, ["Content-Length": "10"]))
        _ = machine.receive(count: 9)
        expect(machine.end(hasFailed: false), .truncated)
    }

    @Test func `a body is aborted at the byte beyond its limit, and an announced one at its head`() {
        var machine = sending(limit: 4)
        _ = machine.receive(head(200))
        expect(machine.receive(count: 4), .keep)
        expect(machine.receive(count: 1), .abort(.bodyTooLarge(limit: 4)))
        var announced = sending(limit: 4)
        expect(announced.receive(head(200, ["Content-Length": "5"])), .abort(.bodyTooLarge(limit: 4)))
    }

    @Test func `events after the outcome change nothing`() {
        var machine = sending()
        _ = machine.receive(head(200))
        _ = machine.abort(.cancelled)
        expect(machine.receive(count: 5), .stop)
        expect(machine.receive(head(200)), .ignore)
        #expect(machine.received == 0)
        expect(machine.end(hasFailed: true), nil)
        expect(machine.abort(.shutDown), nil)
    }

    private static let redirect = NetworkEngine.ResponseHead(
        statusCode: 302, headers: ["Location": "/", "Content-Length": "100000", "Content-Encoding": "nonsense"])

    @Test func `a followed redirect succeeds with its head, with any body`() {
        var machine = sending(limit: 10, followsRedirects: true)
        expect(machine.receive(Self.redirect), .drain)
        #expect(machine.isOver)
        expect(machine.receive(count: 60_000), .drop)
        expect(machine.end(hasFailed: true), nil)
    }

    @Test func `the rest of a redirect is stopped when it is large`() {
        var machine = sending(followsRedirects: true)
        _ = machine.receive(Self.redirect)
        expect(machine.receive(count: 70_000), .stop)
    }

    @Test func `a redirect that is not followed or has no target is a response`() {
        var machine = sending()
        expect(machine.receive(head(302, ["Location": "/"])), .collect)
        var following = sending(followsRedirects: true)
        expect(following.receive(head(302, ["Location": ""])), .collect)
    }

    @Test func `any order of events gives exactly one outcome`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let rules = ExchangeStateMachine.Rules(
                bodyLimit: 3,
                streams: Bool.random(using: &random),
                followsRedirects: Bool.random(using: &random)
            )
            var machine = ExchangeStateMachine(rules)
            var outcomes = 0
            func apply(_ reason: AbortReason) { if machine.abort(reason) != nil { outcomes += 1 } }
            for _ in 0..<Int.random(in: 0..<10, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: apply(.cancelled)
                case 1: _ = machine.begin()
                case 2: _ = machine.admit()
                case 3: _ = machine.send()
                case 4, 5:
                    let statuses = [100, 101, 200, 302, 401]
                    let status = statuses.randomElement(using: &random) ?? 200
                    switch machine.receive(status == 302 ? Self.redirect : head(status)) {
                    case .abort(let reason): apply(reason)
                    case .drain: outcomes += 1
                    case .ignore, .collect, .stream: break
                    }
                case 6: if case .abort(let reason) = machine.receive(count: 1) { apply(reason) }
                default: if machine.end(hasFailed: Bool.random(using: &random)) != nil { outcomes += 1 }
                }
            }
            apply(.shutDown)
            #expect(outcomes == 1)
        }
    }

    /// Compares an event's result, which a macro can't evaluate.
    private func expect<Value: Equatable>(
        _ value: Value,
        _ expected: Value,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }
}
