import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Requests, rejections, ends of refreshes, sign-ins and sign-outs in random order.
@Suite(.timeLimit(.minutes(5))) struct RefreshStateMachineFuzzTests {
    private struct World {
        var machine = RefreshStateMachine<BearerToken>()
        var random: SeededGenerator
        var now = Duration.zero
        var issued = 0
        /// The unfinished refreshes, the running one first.
        var refreshes: [RefreshStateMachine<BearerToken>.Refresh] = []
        var running: RefreshStateMachine<BearerToken>.Refresh?
        /// The requests in progress, with their credentials.
        var sent: [(version: Int, token: BearerToken)] = []
        var successes: [Duration] = []
        var complaint: String?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            machine.setToken(token(), life: .seconds(600), at: now)
        }

        mutating func token() -> BearerToken {
            issued += 1
            return BearerToken("\(issued)")
        }

        mutating func begun(_ refresh: RefreshStateMachine<BearerToken>.Refresh) {
            if let running { complaint = "\(refresh.id) began while \(running.id) ran" }
            if refresh.token != machine.token { complaint = "an old credential was refreshed" }
            running = refresh
            refreshes.append(refresh)
            if successes.filter({ $0 > now - .seconds(30) }).count >= 5 { complaint = "too many refreshes" }
        }

        mutating func send() {
            switch machine.access(at: now) {
            case .use(let token, let version): sent(token, version)
            case .useAndRefresh(let token, let version, let refresh):
                sent(token, version)
                begun(refresh)
            case .refresh(let refresh): begun(refresh)
            case .wait(let refresh): if refresh != running { complaint = "waits for a refresh that does not run" }
            case .fail: break
            case .unknown: if machine.token != nil { complaint = "reads the store although there is a credential" }
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
            case .refresh(let refresh): begun(refresh)
            case .wait(let refresh): if refresh != running { complaint = "waits for a refresh that does not run" }
            case .fail: break
            }
        }

        mutating func end() {
            guard !refreshes.isEmpty else { return }
            let refresh = refreshes[Int.random(in: 0..<refreshes.count, using: &random)]
            // The refresh continues, and no other one starts.
            if Bool.random(using: &random) { return machine.timedOut(refresh) }
            refreshes.removeAll { $0 == refresh }
            if refresh == running { running = nil }
            let before = machine.token
            let results: [Result<BearerToken, RefreshFailure>] = [
                .success(token()), .failure(.declined), .failure(.sessionExpired),
            ]
            let result = results[Int.random(in: 0..<3, using: &random)]
            let life = Int.random(in: -1...400, using: &random)
            _ = machine.ended(refresh, result, life: .seconds(life), at: now)
            if machine.token != before, life > 0, (try? result.get()) != nil { successes.append(now) }
            if machine.token != before, refresh.token != before { complaint = "a late result was taken" }
        }

        mutating func step() {
            switch Int.random(in: 0..<16, using: &random) {
            case 0...5: send()
            case 6...9: reject()
            case 10...12: end()
            case 13: now += .seconds(Int.random(in: 0...200, using: &random))
            case 14:
                machine.setToken(token(), life: .seconds(600), at: now)
                running = nil
            default:
                machine.signOut()
                running = nil
                if machine.token != nil { complaint = "signed out with a credential" }
                machine.setToken(token(), at: now)
            }
        }
    }

    @Test func `in any order of events at most one refresh runs, and no result is lost or used late`() {
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
