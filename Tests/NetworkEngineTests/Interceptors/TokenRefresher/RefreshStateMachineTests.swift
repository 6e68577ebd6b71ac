import NetworkEngine
import NetworkEngineTesting
import Testing

/// The machine alone, without tasks and clocks.
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

    @Test func `A1: of many rejections one starts a renewal, and the others wait for it`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let first = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        for _ in 0..<10 {
            guard case .wait(first) = machine.rejected(sent, at: .zero) else { return #expect(Bool(false)) }
        }
    }

    @Test func `A2: a late rejection of an old credential is only replayed`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .success(new), at: .zero)
        #expect(isReplay(machine.rejected(sent, at: .zero)))
    }

    @Test func `A3: nothing is replayed before there is another credential`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        _ = machine.rejected(sent, at: .zero)
        #expect(!isReplay(machine.rejected(sent, at: .zero)))
        guard case .wait = machine.access(at: .zero) else { return #expect(Bool(false)) }
    }

    @Test func `A4: late rejections of the same credential get the same failure, a new request has a new chance`()
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

    @Test func `A4: a credential from outside clears the failure, and who was rejected is replayed with it`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .failure(.timedOut), at: .zero)
        machine.setToken(new, at: .zero)
        #expect(isReplay(machine.rejected(sent, at: .zero)))
    }

    @Test func `A6: when a renewal's time is up, no other begins before it has ended, and what it brings is used`()
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
    func `A6: those who wait for a renewal that fails after its time look again, and a new request begins another`()
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

    @Test func `A16: another session begins with a sign-out, not with another credential`() throws {
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

    @Test func `A16: another session begins when the server has ended one`() throws {
        var machine = machine()
        let first = machine.session
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        _ = machine.ended(refresh, .failure(.sessionExpired), at: .zero)
        #expect(machine.session != first)
    }

    @Test func `A8: more renewals than allowed within the window are refused, later ones are not`() throws {
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

    @Test func `A8: where no renewal is allowed, none begins`() throws {
        var options = RefreshOptions()
        options.excessLimit = 0
        var machine = machine(options)
        let sent = try #require(version(machine.access(at: .zero)))
        #expect(failure(machine.rejected(sent, at: .zero)) == "\(RefreshFailure.excessiveRefresh)")
    }

    @Test func `A10: in the advisory window one renews and the others go with the old one`() throws {
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

    @Test func `A10: in the mandatory window everybody waits, and the failure is everybody's`() throws {
        var machine = machine(life: .seconds(600))
        guard case .refresh(let refresh) = machine.access(at: .seconds(570)) else { return #expect(Bool(false)) }
        guard case .wait(refresh) = machine.access(at: .seconds(571)) else { return #expect(Bool(false)) }
        let result = machine.ended(refresh, .failure(.timedOut), at: .seconds(572))
        #expect(throws: RefreshFailure.self) { try result.get() }
    }

    @Test func `A10: a background renewal turns into one to wait for when the credential has expired`() {
        var machine = machine(life: .seconds(600))
        guard case .useAndRefresh(_, _, let refresh) = machine.access(at: .seconds(400)) else {
            return #expect(Bool(false))
        }
        guard case .wait(refresh) = machine.access(at: .seconds(590)) else { return #expect(Bool(false)) }
    }

    @Test func `A10: what has expired when it comes is an error, not a reason for another renewal`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        let result = machine.ended(refresh, .success(new), life: .seconds(-1), at: .zero)
        #expect(throws: RefreshFailure.self) { try result.get() }
    }

    @Test func `A10: a short life is not renewed all the time`() throws {
        var machine = machine(life: .zero)
        guard case .refresh(let refresh) = machine.access(at: .zero) else { return #expect(Bool(false)) }
        _ = machine.ended(refresh, .success(new), life: .seconds(60), at: .zero)
        guard case .use(new, _) = machine.access(at: .seconds(47)) else { return #expect(Bool(false)) }
        guard case .useAndRefresh = machine.access(at: .seconds(48)) else { return #expect(Bool(false)) }
    }

    @Test func `A11: during a renewal new requests wait, or go with the old one where that is wanted`() throws {
        for waits in [true, false] {
            var options = RefreshOptions()
            options.waitsForRefresh = waits
            var machine = machine(options)
            let sent = try #require(version(machine.access(at: .zero)))
            _ = machine.rejected(sent, at: .zero)
            #expect((version(machine.access(at: .zero)) == nil) == waits)
        }
    }

    @Test func `A16: what a renewal brings after signing out is dropped`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        machine.signOut()
        _ = machine.ended(refresh, .success(new), at: .zero)
        #expect(machine.token == nil)
    }

    @Test func `A16: what a renewal brings after somebody else has signed in is dropped`() throws {
        var machine = machine()
        let sent = try #require(version(machine.access(at: .zero)))
        let refresh = try #require(startedRefresh(machine.rejected(sent, at: .zero)))
        machine.setToken(BearerToken("other"), at: .zero)
        _ = machine.ended(refresh, .success(new), at: .zero)
        #expect(machine.token == BearerToken("other"))
    }

    @Test func `A18: a body that cannot be replayed has its credential renewed before`() {
        var machine = machine(life: .seconds(600))
        guard case .refresh = machine.access(at: .seconds(300), isUnrepeatable: true) else {
            return #expect(Bool(false))
        }
    }
}
