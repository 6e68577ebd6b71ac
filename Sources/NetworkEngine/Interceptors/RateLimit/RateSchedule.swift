/// When each host may be asked next, and who waits for that; pure.
///
/// A bucket of tokens, kept as the time at which it would be full: asking moves that time on, and where it lies further
/// ahead than a full bucket lasts, the difference has to be waited for. Nobody is promised a time. Who waits has a place
/// in the host's line, so that a pause moves everybody, and a place that is given up moves those behind it.
package struct RateSchedule: Sendable {
    /// A place in the line of a host.
    package struct Claim: Sendable {
        package let ticket: AdmissionTicket
        /// Settled when the place is the first one.
        package let isFirst = OneShot<Void>()
        /// Settled when the place is gone: a pause has put its turn off for too long.
        package let isGone = OneShot<Void>()
    }

    /// The answer to a request for a turn.
    package enum Entry: Sendable {
        case mayGo
        case waits(Claim)
        /// Its turn would come too late.
        case refused
    }

    /// What somebody in the line may do.
    package enum Step: Sendable {
        /// It may go; this is settled for the one who is first now.
        case mayGo(next: OneShot<Void>?)
        case waits(until: Duration)
        /// A pause has put its turn off for too long, or the place was given up.
        case refused
    }

    private struct Waiter {
        let claim: Claim
        /// Until when it waits at the longest.
        let latest: Duration
    }

    private struct Host {
        var full: Duration
        var pausedUntil: Duration = .zero
        var line = AdmissionLine()
    }

    private let interval: Duration
    private let burst: Duration
    private var hosts: [String: Host] = [:]
    private var waiters: [AdmissionTicket: Waiter] = [:]
    private var count = 0

    package init(count: Int, per time: Duration, burst: Int) {
        interval = max(.zero, time.bounded) / max(1, count)
        let (saved, longest) = (max(1, burst) - 1, Duration.seconds(Int64.max).bounded)
        let isEndless = interval > .zero && Double(saved) >= longest / interval
        self.burst = isEndless ? longest : interval * saved
    }

    package var hostCount: Int { hosts.count }
    package var waitingCount: Int { waiters.count }

    /// Asks for a turn with a host that is no more than so far away.
    package mutating func enter(_ name: String, at now: Duration, within limit: Duration) -> Entry {
        if hosts[name] == nil { removeIdle(at: now) }
        var host = hosts[name] ?? Host(full: now)
        let time = self.time(ofPlace: host.line.count, with: host, at: now)
        guard time - now <= limit else { return .refused }
        defer { hosts[name] = host }
        if host.line.isEmpty, time <= now {
            host.full = max(host.full, now) + interval
            return .mayGo
        }
        count += 1
        let claim = Claim(ticket: AdmissionTicket(number: count, host: name, rank: .normal))
        if host.line.isEmpty { claim.isFirst.settle(()) }
        host.line.append(claim.ticket)
        waiters[claim.ticket] = Waiter(claim: claim, latest: now + limit)
        return .waits(claim)
    }

    /// The first in the line looks whether its turn has come.
    package mutating func step(_ claim: Claim, at now: Duration) -> Step {
        let name = claim.ticket.host
        guard waiters[claim.ticket] != nil, var host = hosts[name] else { return .refused }
        let time = self.time(ofPlace: 0, with: host, at: now)
        guard time <= now else { return .waits(until: time) }
        host.full = max(host.full, now) + interval
        host.line.removeFirst()
        hosts[name] = host
        waiters[claim.ticket] = nil
        return .mayGo(next: first(of: name))
    }

    /// Gives a place up.
    ///
    /// - Returns: settled for the one who is first now.
    package mutating func withdraw(_ claim: Claim) -> OneShot<Void>? {
        guard waiters.removeValue(forKey: claim.ticket) != nil else { return nil }
        let name = claim.ticket.host
        _ = hosts[name]?.line.remove(claim.ticket)
        return first(of: name)
    }

    /// Nobody asks the host until then, and after that in step with the rate.
    ///
    /// - Returns: settled for those whose turn is too far away now, and for the one who is first.
    package mutating func pause(_ name: String, until time: Duration, at now: Duration) -> [OneShot<Void>] {
        var host = hosts[name] ?? Host(full: now)
        guard time > host.pausedUntil else { return [] }
        host.pausedUntil = time
        host.full = time + burst
        var kept = AdmissionLine()
        var moved: [OneShot<Void>] = []
        for ticket in host.line.tickets {
            guard let waiter = waiters[ticket] else { continue }
            if self.time(ofPlace: kept.count, with: host, at: now) <= waiter.latest {
                kept.append(ticket)
            } else {
                waiters[ticket] = nil
                moved += [waiter.claim.isFirst, waiter.claim.isGone]
            }
        }
        host.line = kept
        hosts[name] = host
        return moved + (first(of: name).map { [$0] } ?? [])
    }

    /// What the first in the line of a host waits for.
    private func first(of name: String) -> OneShot<Void>? {
        hosts[name]?.line.first.flatMap { waiters[$0]?.claim.isFirst }
    }

    /// When the turn of a place in the line comes.
    private func time(ofPlace place: Int, with host: Host, at now: Duration) -> Duration {
        max(now, host.pausedUntil, max(host.full, now) + interval * place - burst)
    }

    private mutating func removeIdle(at now: Duration) {
        guard hosts.count >= 64 else { return }
        hosts = hosts.filter { $0.value.full > now || $0.value.pausedUntil > now || !$0.value.line.isEmpty }
    }
}
