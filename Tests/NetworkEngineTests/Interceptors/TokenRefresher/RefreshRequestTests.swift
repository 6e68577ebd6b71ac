import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Refresh requests in a list with other interceptors.
@Suite(.timeLimit(.minutes(5))) struct RefreshRequestTests {
    private let rig = RefreshRig()

    @Test(arguments: [MockAnswer.failure(.lostBeforeResponse), .status(503)])
    func `a refresh that may have been processed is not sent again`(
        answer: MockAnswer
    ) async {
        let mock = MockTransport()
        mock.on(.post, "/v1/token").answers(answer.repeating())
        mock.on(.get).answers(MockAnswer.status(401).repeating())
        let refresher = rig.refresher { _, context in
            _ = try await context.send(HTTPRequest(method: .post, url: API.base.appendingPathComponent("token")))
            return BearerToken("new")
        }
        let provider = NetworkProvider<API>(mock, .recommended(credential: refresher))
        #expect(await provider.failure(.plain)?.kind == .authentication)
        #expect(mock.requests.filter { $0.method == .post }.count == 1)
    }

    @Test func `a one-shot body is sent with the old credential when an early refresh fails`()
        async throws
    {
        struct Down: Error {}
        let store = InMemoryCredentialStore(BearerToken("old", expiresAt: Date().addingTimeInterval(200)))
        let refresher = TokenRefresher(store: store) { _, _ in throw Down() }
        let mock = MockTransport(.status(200))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let engine = RequestEngine(interceptors: [refresher], configuration: configuration)
        let stream = BodyStream(isReplayable: false) { AsyncThrowingStream { $0.finish() } }
        let request = HTTPRequest(method: .post, url: API.base, body: .stream(stream))
        _ = try await engine.value(of: request, engine.options(for: API.plain), decoding: .response)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer old"])
    }

    @Test func `a one-shot body is not sent with a rejected credential`() throws {
        var machine = RefreshStateMachine<BearerToken>()
        machine.setToken(BearerToken("old"), life: .seconds(200), at: .zero)
        guard case .useAndRefresh(_, let version, let flight) = machine.access(at: .zero) else {
            return #expect(Bool(false))
        }
        let before = machine.validToken(at: .zero)
        #expect(before?.0 == BearerToken("old"))
        guard case .wait(flight) = machine.rejected(version, at: .zero) else { return #expect(Bool(false)) }
        let rejected = machine.validToken(at: .zero)
        #expect(rejected == nil)
        _ = machine.ended(flight, .success(BearerToken("new")), at: .zero)
        #expect(machine.validToken(at: .zero)?.0 == BearerToken("new"))
    }
}
