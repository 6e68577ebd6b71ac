import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

@Suite(.timeLimit(.minutes(5))) struct CurlVigilTests {
    private let start = Moment(.zero)
    private static let soon = AdaptivePolling.limit / 2
    private static let late = AdaptivePolling.limit * 2

    /// The state after requests that were answered with these delays. Each request followed immediately, and the last
    /// one was just answered.
    private func vigil(answers: [Duration] = [], requests: [Duration] = []) -> AdaptivePolling {
        var vigil = AdaptivePolling()
        for answer in answers {
            vigil.sentAlone(at: start)
            vigil.endedLast(at: start + answer)
        }
        for request in requests {
            vigil.endedLast(at: start)
            vigil.began(at: start + request)
        }
        return vigil
    }

    private func waitsForAnswer(_ vigil: AdaptivePolling, after time: Duration = .zero) -> Bool {
        var vigil = vigil
        vigil.sentAlone(at: start)
        return vigil.isOn(at: start + time)
    }

    private func waitsForRequest(_ vigil: AdaptivePolling, after time: Duration = .zero) -> Bool {
        var vigil = vigil
        vigil.endedLast(at: start)
        return vigil.isOn(at: start + time)
    }

    @Test func `the loop does not poll before the first request or while several run`() {
        #expect(!AdaptivePolling().isOn(at: start))
        var vigil = AdaptivePolling()
        vigil.endedLast(at: start)
        vigil.began(at: start + Self.soon)
        #expect(!vigil.isOn(at: start + Self.soon))
    }

    @Test func `the loop polls no longer than a wakeup takes`() {
        let vigil = vigil(answers: [Self.soon, Self.soon], requests: [Self.soon, Self.soon])
        #expect(waitsForAnswer(vigil, after: Self.soon))
        #expect(!waitsForAnswer(vigil, after: AdaptivePolling.limit))
        #expect(waitsForRequest(vigil, after: Self.soon))
        #expect(!waitsForRequest(vigil, after: AdaptivePolling.limit))
    }

    @Test func `the loop does not poll for a slow server until it is fast again`() {
        #expect(waitsForAnswer(vigil()))
        #expect(!waitsForAnswer(vigil(answers: [Self.late])))
        #expect(waitsForRequest(vigil(answers: [Self.late])), "that says nothing about the client")
        #expect(waitsForAnswer(vigil(answers: [Self.late, Self.late, Self.soon])))
    }

    @Test func `the loop does not poll for a slow client until it is fast again`() {
        #expect(waitsForRequest(vigil()))
        #expect(!waitsForRequest(vigil(requests: [Self.late])))
        #expect(waitsForAnswer(vigil(requests: [Self.late])), "that says nothing about the server")
        #expect(waitsForRequest(vigil(requests: [Self.late, Self.late, Self.soon])))
    }

    @Test func `one late response after many fast ones changes nothing, many late ones do`() {
        let many = Array(repeating: Self.soon, count: 100)
        #expect(waitsForRequest(vigil(requests: many + [Self.late])))
        #expect(!waitsForRequest(vigil(requests: many + Array(repeating: Self.late, count: 4))))
    }
}
