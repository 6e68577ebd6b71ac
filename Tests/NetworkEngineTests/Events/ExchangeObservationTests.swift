import TestSupport
import Testing

@testable import NetworkEngine

/// An exchange's events, from a transport's reports.
@Suite(.timeLimit(.minutes(5))) struct ExchangeObservationTests {
    private let log = EventLog()
    private let request = HTTPRequest(url: API.base)

    /// Provides the observation of an exchange within an attempt.
    private func observed(_ body: (CallObservation, ExchangeObservation) -> Void) throws {
        let call = try #require(ObserverList([log]).observation(of: RequestID()))
        call.begin(.init(request: request))
        call.beginAttempt(request)
        body(call, try #require(ExchangeObservation(of: request, in: call)))
        call.end(.cancelled(request))
        #expect(log.faults == [])
    }

    @Test func `progress is posted after the last byte, and not for each piece`() throws {
        try observed { _, exchange in
            for completed in 0...1_000 {
                exchange.progressed(.init(direction: .receiving, completed: Int64(completed), total: 1_000))
            }
            exchange.progressed(.init(direction: .receiving, completed: 1_000, total: 1_000))
        }
        let completed = log.events.compactMap { event -> Int64? in
            if case .progressed(let progress) = event.kind { progress.completed } else { nil }
        }
        #expect(completed.last == 1_000 && completed.count < 100)
        #expect(Set(completed).count == completed.count)
    }

    @Test func `a connection that only the measurements know is posted before the end`() throws {
        try observed { _, exchange in
            exchange.measured(ExchangeMetrics(networkProtocol: "h2", remoteAddress: "192.0.2.1"))
            exchange.fail(NetworkError(kind: .connection))
        }
        let connections = log.events.compactMap { event -> NetworkEvent.Connection? in
            if case .connected(let connection) = event.kind { connection } else { nil }
        }
        #expect(connections == [.init(remoteAddress: "192.0.2.1", networkProtocol: "h2")])
    }

    @Test func `what is reported after the end of a call is ignored`() throws {
        try observed { call, exchange in
            call.beginRefresh(.init(isJoined: true))
            call.end(nil)
            exchange.admitted()
            exchange.responded(statusCode: 200, headers: [:])
            exchange.fail(.cancelled(request))
            call.beginAttempt(request)
            call.post(.queued)
            #expect(ExchangeObservation(of: request, in: call) == nil)
        }
        #expect(log.names.suffix(4) == ["refreshEnded", "exchangeEnded", "attemptEnded", "callEnded"])
    }

    @Test func `a call that ends before it begins has no events`() throws {
        let call = try #require(ObserverList([log]).observation(of: RequestID()))
        call.end(.cancelled(nil))
        call.begin(.init(request: request))
        #expect(log.events.isEmpty)
    }
}
