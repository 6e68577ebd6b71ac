/// When each host may be asked next; pure.
///
/// A bucket of tokens, kept as the time at which it would be full: asking moves that time on, and where it lies further
/// ahead than a full bucket lasts, the difference has to be waited for.
package struct RateSchedule: Sendable {
    /// What a host was promised.
    package struct Turn: Hashable, Sendable {
        package let time: Duration
        fileprivate let next: Duration
        fileprivate let pauses: Int
    }

    private struct Host {
        var full: Duration
        var pausedUntil: Duration = .zero
        var pauses = 0
    }

    private let interval: Duration
    private let burst: Duration
    private var hosts: [String: Host] = [:]

    package init(count: Int, per time: Duration, burst: Int) {
        interval = max(.zero, time) / max(1, count)
        self.burst = interval * (max(1, burst) - 1)
    }

    package var hostCount: Int { hosts.count }

    /// The next turn with a host; `nil` when it is more than so far away, and then nobody has it.
    package mutating func turn(with name: String, at now: Duration, within limit: Duration) -> Turn? {
        if hosts[name] == nil { removeIdle(at: now) }
        var host = hosts[name] ?? Host(full: now)
        let start = max(host.full, now)
        let time = max(now, host.pausedUntil, start - burst)
        guard time - now <= limit else { return nil }
        host.full = max(start, time) + interval
        hosts[name] = host
        return Turn(time: time, next: host.full, pauses: host.pauses)
    }

    /// Whether a turn has come; `false` when the host has asked for a pause since it was promised.
    package func isValid(_ turn: Turn, with name: String, at now: Duration) -> Bool {
        guard let host = hosts[name] else { return true }
        return host.pauses == turn.pauses || host.pausedUntil <= now
    }

    /// Takes a turn back that was not used, if nobody has one behind it.
    package mutating func giveBack(_ turn: Turn, with name: String) {
        guard hosts[name]?.full == turn.next else { return }
        hosts[name]?.full -= interval
    }

    /// Nobody asks the host until then, and after that in step with the rate.
    package mutating func pause(_ name: String, until time: Duration, at now: Duration) {
        var host = hosts[name] ?? Host(full: now)
        guard time > host.pausedUntil else { return }
        host.pausedUntil = time
        host.pauses += 1
        host.full = time + burst
        hosts[name] = host
    }

    private mutating func removeIdle(at now: Duration) {
        guard hosts.count >= 64 else { return }
        hosts = hosts.filter { $0.value.full > now || $0.value.pausedUntil > now }
    }
}
