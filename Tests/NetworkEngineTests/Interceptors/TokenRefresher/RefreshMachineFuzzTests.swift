import NetworkEngine
import NetworkEngineTesting
import Testing

/// Any order of requests, rejections, endings, sign-ins and sign-outs.
@Suite(.timeLimit(.minutes(5))) struct RefreshMachineFuzzTests {
    private struct World {
        var machine = RefreshStateMachine<BearerToken>()
        var random: SeededGenerator
        var now = Duration.zero
        var issued = 0
        /// Renewals that were begun and have not ended, the running one first.
        var flights: [RefreshStateMachine<BearerToken>.Flight] = []
        var running: RefreshStateMachine<BearerToken>.Flight?
        /// Requests on their way, with the credential that they carry.
        var sent: [(version: Int, token: BearerToken)] = []
        var starts: [Duration] = []
        var complaint: String?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            machine.replace(by: token(), life: .seconds(600), at: now)
        }

        mutating func token() -> BearerToken {
            issued += 1
            return BearerToken("\(issued)")
        }

        mutating func begun(_ flight: RefreshStateMachine<BearerToken>.Flight) {
            if let running { complaint = "\(flight.id) began while \(running.id) ran" }
            if flight.token != machine.token { complaint = "an old credential was renewed" }
            running = flight
            flights.append(flight)
            starts.append(now)
            if starts.filter({ $0 > now - .seconds(30) }).count > 5 { complaint = "too many renewals" }
        }

        mutating func send() {
            switch machine.access(at: now) {
            case .use(let token, let version): sent(token, version)
            case .useAndRenew(let token, let version, let flight):
                sent(token, version)
                begun(flight)
            case .renew(let flight): begun(flight)
            case .wait(let flight): if flight != running { complaint = "waits for nobody" }
            case .fail: break
            case .unknown: if machine.token != nil { complaint = "asks for what is known" }
            }
        }

        mutating func sent(_ token: BearerToken, _ version: Int) {
            sent.append((version, token))
            if token != machine.token { complaint = "an old credential was sent" }
        }

        mutating func reject() {
            guard !sent.isEmpty else { return }
            let request = sent.remove(at: Int.random(in: 0..<sent.count, using: &random))
            switch machine.rejected(request.version, at: now) {
            case .replay: if request.token == machine.token { complaint = "replayed with the same credential" }
            case .renew(let flight): begun(flight)
            case .wait(let flight): if flight != running { complaint = "waits for nobody" }
            case .fail: break
            }
        }

        mutating func end() {
            guard !flights.isEmpty else { return }
            let flight = flights[Int.random(in: 0..<flights.count, using: &random)]
            // It goes on, and no other may begin.
            if Bool.random(using: &random) { return machine.timedOut(flight) }
            flights.removeAll { $0 == flight }
            if flight == running { running = nil }
            let before = machine.token
            let results: [Result<BearerToken, RefreshFailure>] = [
                .success(token()), .failure(.declined), .failure(.sessionExpired),
            ]
            let result = results[Int.random(in: 0..<3, using: &random)]
            _ = machine.ended(flight, result, life: .seconds(Int.random(in: -1...400, using: &random)), at: now)
            if machine.token != before, flight.token != before { complaint = "a late result was taken" }
        }

        mutating func step() {
            switch Int.random(in: 0..<16, using: &random) {
            case 0...5: send()
            case 6...9: reject()
            case 10...12: end()
            case 13: now += .seconds(Int.random(in: 0...200, using: &random))
            case 14:
                machine.replace(by: token(), life: .seconds(600), at: now)
                running = nil
            default:
                machine.forget()
                running = nil
                if machine.token != nil { complaint = "signed out with a credential" }
                machine.replace(by: token(), at: now)
            }
        }
    }

    @Test func `A1 to A16: in any order at most one renewal runs, and none is lost or resurrected`() {
        for seed in Schedules.seeds {
            var world = World(seed: seed)
            for step in 0..<60 {
                world.step()
                if let complaint = world.complaint {
                    Issue.record("seed \(seed), step \(step): \(complaint)")
                    return
                }
            }
        }
    }
}
