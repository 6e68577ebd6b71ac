import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// When refreshes start after others have failed, in the state machine alone.
@Suite(.timeLimit(.minutes(5))) struct RefreshPaceTests {
    private typealias Machine = RefreshStateMachine<BearerToken>

    private struct Server {
        var machine: Machine
        var now = Duration.zero
        var refreshes = 0

        init(_ options: RefreshOptions = RefreshOptions()) {
            machine = Machine(options)
            machine.setToken(BearerToken("old"), at: .zero)
        }

        /// Sends a request that is rejected or has an expired credential, and ends the refresh that it starts.
        ///
        /// - Returns: The request's error; `nil` if it's resent.
        mutating func reject(_ end: Result<BearerToken, RefreshFailure>, life: Duration? = nil) -> RefreshFailure? {
            switch machine.access(at: now) {
            case .use(_, let version):
                switch machine.rejected(version, at: now) {
                case .fail(let failure): return failure
                case .refresh(let refresh): return ended(refresh, end, life)
                case .replay, .wait: return nil
                }
            case .refresh(let refresh): return ended(refresh, end, life)
            case .fail(let failure): return failure
            case .useAndRefresh, .wait, .unknown: return nil
            }
        }

        private mutating func ended(
            _ refresh: Machine.Refresh, _ end: Result<BearerToken, RefreshFailure>, _ life: Duration?
        ) -> RefreshFailure? {
            refreshes += 1
            if case .failure(let failure) = machine.ended(refresh, end, life: life, at: now) { return failure }
            return nil
        }
    }

    private let down = RefreshFailure.failed(NetworkError(.connect, reason: "down"))

    @Test func `refreshes that fail do not count as too many, and calls fail for their reason`() {
        var server = Server()
        // The endpoint is down for a second, with a call every ten milliseconds.
        for _ in 0..<100 {
            let failure = server.reject(.failure(down))
            #expect(failure?.networkCause?.transportFailure == .connect)
            server.now += .milliseconds(10)
        }
        #expect(server.refreshes == 4)
        var ends: [Bool] = []
        while ends.last != true, ends.count < 200 {
            ends.append(server.reject(.success(BearerToken("new"))) == nil)
            server.now += .milliseconds(10)
        }
        #expect(server.now < .seconds(2))
    }

    @Test func `the pause after failures doubles up to ten seconds, and a success ends it`() {
        var server = Server()
        var starts: [Duration] = []
        while starts.count < 12 {
            let before = server.refreshes
            _ = server.reject(.failure(down))
            if server.refreshes > before { starts.append(server.now) }
            server.now += .milliseconds(250)
        }
        let pauses = zip(starts.dropFirst(), starts).map { $0 - $1 }
        #expect(pauses.suffix(10) == [0.25, 0.5, 1, 2, 4, 8, 10, 10, 10, 10].map { .seconds($0) })
        server.now += .seconds(10)
        #expect(server.reject(.success(BearerToken("a"))) == nil)
        _ = server.reject(.failure(down))
        #expect(server.reject(.success(BearerToken("b"))) == nil)
    }

    @Test func `another credential of the app ends the pause`() {
        var server = Server()
        for _ in 0..<5 { _ = server.reject(.failure(down)) }
        server.machine.setToken(BearerToken("signed in"), at: .zero)
        #expect(server.reject(.success(BearerToken("new"))) == nil)
    }

    @Test func `a busy token endpoint says when it is asked again`() {
        let headers: HTTPHeaders = ["Retry-After": "7"]
        let response = HTTPResponse(statusCode: 503, headers: headers, request: HTTPRequest(url: API.base))
        var server = Server()
        _ = server.reject(.failure(.failed(NetworkError(kind: .status, response: response))))
        server.now += .seconds(6.9)
        #expect(server.reject(.success(BearerToken("new")))?.networkCause?.statusCode == 503)
        server.now += .seconds(0.1)
        #expect(server.reject(.success(BearerToken("new"))) == nil)
    }

    @Test func `a server that issues expired credentials is not asked without a pause`() {
        var server = Server()
        for _ in 0..<100 {
            guard case .expiredOnArrival? = server.reject(.success(BearerToken("new")), life: .seconds(-1)) else {
                return #expect(Bool(false))
            }
        }
        #expect(server.refreshes == 2)
    }
}
