import NetworkEngine
import NetworkEngineTesting
import Testing

/// The machine by itself: no tasks, no time but what it is told.
@Suite(.timeLimit(.minutes(5))) struct RefreshMachineTests {
    typealias Machine = RefreshStateMachine<BearerToken>
    typealias Flight = Machine.Flight

    private let old = BearerToken("old")
    private let new = BearerToken("new")

    private func machine(_ limits: Machine.Limits = .init(), life: Duration? = nil) -> Machine {
        var machine = Machine(limits)
        machine.replace(by: old, life: life, at: .zero)
        return machine
    }

    private func version(_ access: Machine.Access) -> Int? {
        switch access {
        case .use(_, let version), .useAndRenew(_, let version, _): version
        default: nil
        }
    }

    private func renewal(_ answer: Machine.Answer) -> Flight? {
        if case .renew(let flight) = answer { flight } else { nil }
    }

    private func failure(_ answer: Machine.Answer) -> String? {
        if case .fail(let failure) = answer { "\(failure)" } else { nil }
    }

    private func isReplay(_ answer: Machine.Answer) -> Bool { if case .replay = answer { true } else { false } }

    @Test func `A1: of many rejections one starts a renewal, and the others wait for it`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let first = try #require(renewal(machine.rejected(stamp, at: .zero)))
        for _ in 0..<10 {
            guard case .wait(first) = machine.rejected(stamp, at: .zero) else { return #expect(Bool(false)) }
        }
    }

    @Test func `A2: a late rejection of an old credential is only replayed`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        _ = machine.ended(flight, .success(new), at: .zero)
        #expect(isReplay(machine.rejected(stamp, at: .zero)))
    }

    @Test func `A3: nothing is replayed before there is another credential`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        _ = machine.rejected(stamp, at: .zero)
        #expect(!isReplay(machine.rejected(stamp, at: .zero)))
        guard case .wait = machine.access(at: .zero) else { return #expect(Bool(false)) }
    }

    @Test func `A4: late rejections of the same credential get the same failure, a new request has a new chance`()
        throws
    {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        _ = machine.ended(flight, .failure(.timedOut), at: .zero)
        #expect(failure(machine.rejected(stamp, at: .zero)) == "\(RefreshFailure.timedOut)")
        let newStamp = try #require(version(machine.access(at: .zero)))
        #expect(failure(machine.rejected(stamp, at: .zero)) == "\(RefreshFailure.timedOut)")
        #expect(renewal(machine.rejected(newStamp, at: .zero)) != nil)
    }

    @Test func `A4: a credential from outside clears the failure, and who was rejected is replayed with it`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        _ = machine.ended(flight, .failure(.timedOut), at: .zero)
        machine.replace(by: new, at: .zero)
        #expect(isReplay(machine.rejected(stamp, at: .zero)))
    }

    @Test func `A6: when a renewal's time is up, no other begins before it has ended, and what it brings is used`()
        throws
    {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let slow = try #require(renewal(machine.rejected(stamp, at: .zero)))
        machine.timedOut(slow)
        guard case .wait(slow) = machine.access(at: .seconds(100)) else { return #expect(Bool(false)) }
        guard case .wait(slow) = machine.rejected(stamp, at: .seconds(100)) else { return #expect(Bool(false)) }
        _ = machine.ended(slow, .success(new), at: .seconds(100))
        #expect(machine.token == new)
    }

    @Test
    func `A6: those who wait for a renewal that fails after its time look again, and a new request begins another`()
        throws
    {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let slow = try #require(renewal(machine.rejected(stamp, at: .zero)))
        machine.timedOut(slow)
        let result = machine.ended(slow, .failure(.failed(CancellationError())), at: .zero)
        #expect(throws: Never.self) { try result.get() }
        #expect(failure(machine.rejected(stamp, at: .zero)) == "\(RefreshFailure.timedOut)")
        let newStamp = try #require(version(machine.access(at: .zero)))
        #expect(renewal(machine.rejected(newStamp, at: .zero)) != nil)
    }

    @Test func `A16: another session begins with a sign-out, not with another credential`() throws {
        var machine = machine()
        let first = machine.session
        machine.replace(by: new, at: .zero)
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        _ = machine.ended(flight, .success(old), at: .zero)
        #expect(machine.session == first)
        machine.forget()
        #expect(machine.session != first)
    }

    @Test func `A16: another session begins when the server has ended one`() throws {
        var machine = machine()
        let first = machine.session
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        _ = machine.ended(flight, .failure(.sessionExpired), at: .zero)
        #expect(machine.session != first)
    }

    @Test func `A8: more renewals than allowed within the window are refused, later ones are not`() throws {
        var machine = machine()
        func renew(at time: Duration) -> Bool {
            guard let stamp = version(machine.access(at: time)) else { return false }
            guard let flight = renewal(machine.rejected(stamp, at: time)) else { return false }
            _ = machine.ended(flight, .success(new), at: time)
            return true
        }
        let early = (0..<6).map { renew(at: .seconds($0)) }
        #expect(early == [true, true, true, true, true, false])
        #expect(!renew(at: .seconds(29)))
        #expect(renew(at: .seconds(30)))
    }

    @Test func `A8: where no renewal is allowed, none begins`() throws {
        var machine = machine(.init(excessLimit: 0))
        let stamp = try #require(version(machine.access(at: .zero)))
        #expect(failure(machine.rejected(stamp, at: .zero)) == "\(RefreshFailure.excessiveRefresh)")
    }

    @Test func `A10: in the advisory window one renews and the others go with the old one`() throws {
        var machine = machine(life: .seconds(600))
        guard case .use = machine.access(at: .seconds(299)) else { return #expect(Bool(false)) }
        guard case .useAndRenew(old, _, let flight) = machine.access(at: .seconds(300)) else {
            return #expect(Bool(false))
        }
        guard case .use(old, _) = machine.access(at: .seconds(301)) else { return #expect(Bool(false)) }
        _ = machine.ended(flight, .failure(.timedOut), at: .seconds(302))
        guard case .use(old, _) = machine.access(at: .seconds(303)) else { return #expect(Bool(false)) }
        guard case .useAndRenew = machine.access(at: .seconds(312)) else { return #expect(Bool(false)) }
    }

    @Test func `A10: in the mandatory window everybody waits, and the failure is everybody's`() throws {
        var machine = machine(life: .seconds(600))
        guard case .renew(let flight) = machine.access(at: .seconds(570)) else { return #expect(Bool(false)) }
        guard case .wait(flight) = machine.access(at: .seconds(571)) else { return #expect(Bool(false)) }
        let result = machine.ended(flight, .failure(.timedOut), at: .seconds(572))
        #expect(throws: RefreshFailure.self) { try result.get() }
    }

    @Test func `A10: a background renewal turns into one to wait for when the credential has expired`() {
        var machine = machine(life: .seconds(600))
        guard case .useAndRenew(_, _, let flight) = machine.access(at: .seconds(400)) else {
            return #expect(Bool(false))
        }
        guard case .wait(flight) = machine.access(at: .seconds(590)) else { return #expect(Bool(false)) }
    }

    @Test func `A10: what has expired when it comes is an error, not a reason for another renewal`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        let result = machine.ended(flight, .success(new), life: .seconds(-1), at: .zero)
        #expect(throws: RefreshFailure.self) { try result.get() }
    }

    @Test func `A10: a short life is not renewed all the time`() throws {
        var machine = machine(life: .zero)
        guard case .renew(let flight) = machine.access(at: .zero) else { return #expect(Bool(false)) }
        _ = machine.ended(flight, .success(new), life: .seconds(60), at: .zero)
        guard case .use(new, _) = machine.access(at: .seconds(47)) else { return #expect(Bool(false)) }
        guard case .useAndRenew = machine.access(at: .seconds(48)) else { return #expect(Bool(false)) }
    }

    @Test func `A11: during a renewal new requests wait, or go with the old one where that is wanted`() throws {
        for waits in [true, false] {
            var machine = machine(.init(waits: waits))
            let stamp = try #require(version(machine.access(at: .zero)))
            _ = machine.rejected(stamp, at: .zero)
            #expect((version(machine.access(at: .zero)) == nil) == waits)
        }
    }

    @Test func `A16: what a renewal brings after signing out is dropped`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        machine.forget()
        _ = machine.ended(flight, .success(new), at: .zero)
        #expect(machine.token == nil)
    }

    @Test func `A16: what a renewal brings after somebody else has signed in is dropped`() throws {
        var machine = machine()
        let stamp = try #require(version(machine.access(at: .zero)))
        let flight = try #require(renewal(machine.rejected(stamp, at: .zero)))
        machine.replace(by: BearerToken("other"), at: .zero)
        _ = machine.ended(flight, .success(new), at: .zero)
        #expect(machine.token == BearerToken("other"))
    }

    @Test func `A18: a body that cannot be replayed has its credential renewed before`() {
        var machine = machine(life: .seconds(600))
        guard case .renew = machine.access(at: .seconds(300), isUnrepeatable: true) else {
            return #expect(Bool(false))
        }
    }
}
