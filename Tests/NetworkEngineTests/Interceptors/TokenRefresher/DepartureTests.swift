import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A sign-out while requests are being sent.
@Suite(.timeLimit(.minutes(5))) struct DepartureTests {
    private let clock = TestClock()
    private let request = HTTPRequest(url: API.base)

    private func refresher() -> TokenRefresher<BearerToken> {
        var options = RefreshOptions()
        options.clock = clock
        return TokenRefresher(store: InMemoryCredentialStore(BearerToken("t")), options: options) { old, _ in old }
    }

    private func departing(_ refresher: TokenRefresher<BearerToken>) -> CallStorage {
        let storage = CallStorage()
        refresher.callBegins(storage)
        #expect(refresher.departureBegins(request, storage) == nil)
        return storage
    }

    @Test(arguments: [1, 3]) func `a sign-out waits for the requests that are leaving`(count: Int) async throws {
        let refresher = refresher()
        let leaving = (0..<count).map { _ in departing(refresher) }
        let hasReturned = Locked(false)
        let signOut = Task {
            try await refresher.signOut()
            hasReturned.withLock { $0 = true }
        }
        await clock.untilSleeping()
        for storage in leaving {
            #expect(!hasReturned.withLock { $0 })
            refresher.departureEnded(storage)
        }
        try await signOut.value
    }

    @Test(arguments: [false, true])
    func `a sign-out waits for a quarter of a second at most, also in a canceled task`(isCancelled: Bool) async throws {
        let refresher = refresher()
        let leaving = departing(refresher)
        clock.advance(by: .milliseconds(200))
        let signOut = Task { try await refresher.signOut() }
        if isCancelled { signOut.cancel() }
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(50))
        try await signOut.value
        refresher.departureEnded(leaving)
    }

    @Test func `a sign-out does not wait for requests that have left long ago`() async throws {
        let refresher = refresher()
        let leaving = departing(refresher)
        clock.advance(by: .milliseconds(250))
        try await refresher.signOut()
        refresher.departureEnded(leaving)
    }

    /// Counts departures, and rejects some.
    private struct Recording: Departure {
        let state = Locked((begun: 0, ended: 0))
        var refuses = Locked(false)

        func refusal(of request: HTTPRequest) -> NetworkError? { nil }

        func begin(_ request: HTTPRequest) -> NetworkError? {
            if refuses.withLock({ $0 }) { return .authentication(.signedOut, request: request) }
            state.withLock { $0.begun += 1 }
            return nil
        }

        func end() { state.withLock { $0.ended += 1 } }
    }

    private func exchange(_ departure: Recording) -> Exchange {
        let context = TransportContext().changed { $0.departure = departure }
        let exchange = Exchange(request, context: context, upload: nil, backlogInFile: 0)
        #expect(exchange.admit() == .first)
        return exchange
    }

    enum Ending: CaseIterable { case head, release, both, repetition }

    @Test(arguments: Ending.allCases) func `each departure ends once`(ending: Ending) {
        let departure = Recording()
        let exchange = exchange(departure)
        #expect(exchange.send().flow == .more)
        if ending == .repetition { #expect(exchange.send().flow == .more) }
        let head = ResponseHead(
            statusCode: 200, fields: .headers([:]), hasBody: false, bodyLength: nil, isRedirect: false)
        if ending == .head || ending == .both { _ = exchange.receive(head) { .init(onAbandoned: {}) } }
        if ending != .head { exchange.endDeparture() }
        let state = departure.state.withLock { $0 }
        #expect(state.begun == (ending == .repetition ? 2 : 1) && state.ended == state.begun)
    }

    @Test func `a request is asked again before it is repeated`() {
        let departure = Recording()
        let exchange = exchange(departure)
        #expect(exchange.send().flow == .more)
        departure.refuses.withLock { $0 = true }
        let instruction = exchange.send()
        #expect(instruction.flow == .stop && instruction.completion != nil && exchange.isOver)
        #expect(departure.state.withLock { $0.begun == 1 && $0.ended == 1 })
    }

    @Test func `a request that was aborted before does not depart`() {
        let departure = Recording()
        let exchange = exchange(departure)
        _ = exchange.abort(.cancelled)
        #expect(exchange.send().flow == .stop)
        #expect(departure.state.withLock { $0.begun == $0.ended })
    }
}
