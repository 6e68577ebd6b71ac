import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The same contract for targets that run themselves.
@Suite(.timeLimit(.minutes(5))) struct RequestableCancellationTests {
    @MainActor
    @Test func `after cancel() on the main actor a repository delivers no value there`() async throws {
        let rig = try Rig(.http(200, Scenario.ada), over: .mock)
        for _ in 0..<50 {
            let call: OngoingCall<User> = .calling { completion in
                let request = rig.target.request(type: User.self, onMain: { completion($0) })
                request.waitUntilDecided()
                request.cancel()
                return request
            }
            #expect(await call.error?.kind == .cancelled)
        }
    }
}
