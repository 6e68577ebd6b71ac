import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The state machine alone, without tasks and clocks.
@Suite(.timeLimit(.minutes(5))) struct RefreshStateMachineTests {
    typealias Machine = RefreshStateMachine<BearerToken>
    typealias Refresh = Machine.Refresh

    private let old = BearerToken("old")
    private let new = BearerToken("new")

    private func machine(_ options: RefreshOptions = RefreshOptions(), life: Duration? = nil) -> Machine {
        var machine = Machine(options)
        machine.setToken(old, life: life, at: .zero)
        return machine
    }

    private func version(_ access: Machine.Access) -> Int? {
        switch access {
        case .use(_, let version), .useAndRefresh(_, let version, _): version
        default: nil
        }
    }

    private func startedRefresh(_ recovery: Machine.Recovery) -> Refresh? {
        if case .refresh(let refresh) = recovery { refresh } else { nil }
    }

    private func failure(_ recovery: Machine.Recovery) -> String? {
        if case .fail(let failure) = recovery { "\(failure)" } else { nil }
    }

    private func isReplay(_ recovery: Machine.Recovery) -> Bool { if case .replay = recovery { true } else { false } }

    @Test func `the first of many rejections starts a refresh, and the others wait for it`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let first = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        for _ in 0..<10 {
            guard case .wait(first) = machine.rejected(sent, at: .zero) else { return #expect(Bool(false)) }
        }
    }

    @Test func `a late rejection of an old credential only repeats the request`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .success(new), at: .zero)
        #expect(isReplay(machine.rejected(sent, at: .zero)))
    }

    @Test func `no request is repeated before there is another credential`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        _ = machine.rejected(sent, at: .zero)
        #expect(!isReplay(machine.rejected(sent, at: .zero)))
        guard case .wait = machine.access(at: .zero) else { return #expect(Bool(false)) }
    }

    @Test func `late rejections of a credential get one error, and a new request starts another refresh`()
        throws
    {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .failure(.timedOut), at: .zero)
        #expect(failure(machine.rejected(sent, at: .zero)) == "\(RefreshFailure.timedOut)")
        let newVersion = try #require(version(machine.access(at: .zero)))
        #expect(failure(machine.rejected(sent, at: .zero)) == "\(RefreshFailure.timedOut)")
        #expect(startedRefresh(machine.rejected(newVersion, at: .zero)) != nil)
    }

    @Test func `a credential from the app clears the failure, and rejected requests are repeated with it`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .failure(.timedOut), at: .zero)
        machine.setToken(new, at: .zero)
        #expect(isReplay(machine.rejected(sent, at: .zero)))
    }

    @Test func `after its timeout a refresh is awaited, and its result is used`()
        throws
    {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let slow = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        machine.timedOut(slow)
        guard case .wait(slow) = machine.access(at: .seconds(100)) else { return #expect(Bool(false)) }
        guard case .wait(slow) = machine.rejected(sent, at: .seconds(100)) else { return #expect(Bool(false)) }
        _ = machine.ended(slow, .success(new), at: .seconds(100))
        #expect(machine.token == new)
    }

    @Test
    func `requests that wait for an overdue refresh check again when it fails`()
        throws
    {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let slow = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        machine.timedOut(slow)
        let result = machine.ended(slow, .failure(.failed(CancellationError())), at: .zero)
        #expect(throws: Never.self) { try result.get() }
        #expect(failure(machine.rejected(sent, at: .zero)) == "\(RefreshFailure.timedOut)")
        let newVersion = try #require(version(machine.access(at: .zero)))
        #expect(startedRefresh(machine.rejected(newVersion, at: .zero)) != nil)
    }

    @Test func `a sign-out starts another session, and another credential does not`() throws {
        var machine = machine()
        let first = machine.session
        machine.setToken(new, at: .zero)
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .success(old), at: .zero)
        #expect(machine.session == first)
        machine.signOut()
        #expect(machine.session != first)
    }

    @Test func `the end of a session by the server starts another session`() throws {
        var machine = machine()
        let first = machine.session
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .failure(.sessionExpired), at: .zero)
        #expect(machine.session != first)
    }

    @Test func `more refreshes than allowed within the window are refused, and later ones run`() throws {
        var machine = machine()
        func refreshed(at time: Duration) -> Bool {
            guard let sent = version(machine.access(at: time)) else { return false }
            guard let refresh = startedRefresh(machine.rejected(sent, at: time)) else { return false }
            _ = machine.ended(refresh, .success(new), at: time)
            return true
        }
        let early = (0..<6).map { refreshed(at: .seconds($0)) }
        #expect(early == [true, true, true, true, true, false])
        #expect(!refreshed(at: .seconds(29)))
        #expect(refreshed(at: .seconds(30)))
    }

    @Test func `with a limit of zero no refresh starts`() throws {
        var options = RefreshOptions()
        options.excessLimit = 0
        var machine = machine(options)
        let sent = try #require(version(machine.access(at: .zero)))
        #expect(failure(machine.rejected(sent, at: .zero)) == "\(RefreshFailure.excessiveRefresh)")
    }

    @Test func `in the advisory window one request refreshes and the others use the old credential`() throws {
        var machine = machine(life: .seconds(600))
        guard case .use = machine.access(at: .seconds(299)) else { return #expect(Bool(false)) }
        guard case .useAndRefresh(old, _, let refresh) = machine.access(at: .seconds(300)) else {
            return #expect(Bool(false))
        }
        guard case .use(old, _) = machine.access(at: .seconds(301)) else { return #expect(Bool(false)) }
        _ = machine.ended(refresh, .failure(.timedOut), at: .seconds(302))
        guard case .use(old, _) = machine.access(at: .seconds(303)) else { return #expect(Bool(false)) }
        guard case .useAndRefresh = machine.access(at: .seconds(312)) else { return #expect(Bool(false)) }
    }

    @Test func `in the mandatory window all requests wait and share the failure`() throws {
        var machine = machine(life: .seconds(600))
        guard case .refresh(let refresh) = machine.access(at: .seconds(570)) else { return #expect(Bool(false)) }
        guard case .wait(refresh) = machine.access(at: .seconds(571)) else { return #expect(Bool(false)) }
        let result = machine.ended(refresh, .failure(.timedOut), at: .seconds(572))
        #expect(throws: RefreshFailure.self) { try result.get() }
    }

    @Test func `a background refresh is awaited after the credential has expired`() {
        var machine = machine(life: .seconds(600))
        guard case .useAndRefresh(_, _, let refresh) = machine.access(at: .seconds(400)) else {
            return #expect(Bool(false))
        }
        guard case .wait(refresh) = machine.access(at: .seconds(590)) else { return #expect(Bool(false)) }
    }

    @Test func `a refreshed credential that is already expired is an error`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        let result = machine.ended(refresh, .success(new), life: .seconds(-1), at: .zero)
        #expect(throws: RefreshFailure.self) { try result.get() }
    }

    @Test func `a credential with a short lifetime is not refreshed all the time`() throws {
        var machine = machine(life: .zero)
        guard case .refresh(let refresh) = machine.access(at: .zero) else { return #expect(Bool(false)) }
        _ = machine.ended(refresh, .success(new), life: .seconds(60), at: .zero)
        guard case .use(new, _) = machine.access(at: .seconds(47)) else { return #expect(Bool(false)) }
        guard case .useAndRefresh = machine.access(at: .seconds(48)) else { return #expect(Bool(false)) }
    }

    @Test func `during a refresh new requests wait, or use the old credential if configured`() throws {
        for waits in [true, false] {
            var options = RefreshOptions()
            options.waitsForRefresh = waits
            var machine = machine(options)
            let sent = try #require(version(machine.access(at: .zero)))
            _ = machine.rejected(sent, at: .zero)
            #expect((version(machine.access(at: .zero)) == nil) == waits)
        }
    }

    @Test func `the result of a refresh is dropped after a sign-out`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        machine.signOut()
        _ = machine.ended(refresh, .success(new), at: .zero)
        #expect(machine.token == nil)
    }

    @Test func `the result of a refresh is dropped after another user signed in`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        machine.setToken(BearerToken("other"), at: .zero)
        _ = machine.ended(refresh, .success(new), at: .zero)
        #expect(machine.token == BearerToken("other"))
    }

    @Test func `the credential of a one-shot body is refreshed before sending`() {
        var machine = machine(life: .seconds(600))
        guard case .refresh = machine.access(at: .seconds(300), isUnrepeatable: true) else {
            return #expect(Bool(false))
        }
    }
}
