import NetworkEngine

/// The times at which requests to each host are allowed, and the queues of waiting requests; a pure value.
///
/// The schedule is a token bucket, stored as the time at which the bucket is full. A request moves that time forward.
/// If it is further ahead than a full bucket lasts, the request waits for the difference. A waiting request has a
/// position in the host's queue instead of a fixed time, so that a pause delays the whole queue, and a canceled request
/// moves the others forward.
struct RateSchedule: Sendable {
    /// A position in a host's queue.
    struct Claim: Sendable {
        let ticket: Permit
        /// Settled when the request is first in the queue.
        let isFirst = OneShot<Void>()
        /// Settled when the request leaves the queue because a pause delays its turn for too long.
        let isCancelled = OneShot<Void>()
    }

    /// The result of entering the queue.
    enum Entry: Sendable {
        case go
        case waits(Claim)
        /// The request's turn would be too late.
        case refused
    }

    /// The next step of the first request in the queue.
    enum Step: Sendable {
        /// Send the request, and settle `next` for the request that is now first.
        case go(next: OneShot<Void>?)
        case waits(until: Duration)
        /// A pause delays the request for too long, or the request has left the queue.
        case refused
    }

    private struct Waiter {
        let claim: Claim
        /// The latest acceptable time.
        let latest: Duration
    }

    private struct Host {
        var full: Duration
        var pausedUntil: Duration = .zero
        var queue = WaitingLine()
    }

    private let interval: Duration
    private let burst: Duration
    private var hosts: [String: Host] = [:]
    private var waiters: [Permit: Waiter] = [:]
    private var count = 0

    init(count: Int, per time: Duration, burst: Int) {
        interval = max(.zero, time.bounded) / max(1, count)
        let (saved, longest) = (max(1, burst) - 1, Duration.seconds(Int64.max).bounded)
        let isEndless = interval > .zero && Double(saved) >= longest / interval
        self.burst = isEndless ? longest : interval * saved
    }

    var hostCount: Int { hosts.count }
    var waitingCount: Int { waiters.count }

    /// Requests a turn with a host within a time limit.
    mutating func enter(_ name: String, at now: Duration, within limit: Duration) -> Entry {
        if hosts[name] == nil { removeIdle(at: now) }
        var host = hosts[name] ?? Host(full: now)
        let time = self.time(atPosition: host.queue.count, with: host, at: now)
        guard time - now <= limit else { return .refused }
        defer { hosts[name] = host }
        if host.queue.isEmpty, time <= now {
            host.full = max(host.full, now) + interval
            return .go
        }
        count += 1
        let claim = Claim(ticket: Permit(number: count, host: name, rank: .normal))
        if host.queue.isEmpty { claim.isFirst.settle(()) }
        host.queue.append(claim.ticket)
        waiters[claim.ticket] = Waiter(claim: claim, latest: now + limit)
        return .waits(claim)
    }

    /// Returns the next step of the first request in the queue.
    mutating func step(_ claim: Claim, at now: Duration) -> Step {
        let name = claim.ticket.host
        guard waiters[claim.ticket] != nil, var host = hosts[name] else { return .refused }
        let time = self.time(atPosition: 0, with: host, at: now)
        guard time <= now else { return .waits(until: time) }
        host.full = max(host.full, now) + interval
        host.queue.removeFirst()
        hosts[name] = host
        waiters[claim.ticket] = nil
        return .go(next: first(of: name))
    }

    /// Leaves the queue.
    ///
    /// - Returns: to be settled for the request that is now first.
    mutating func withdraw(_ claim: Claim) -> OneShot<Void>? {
        guard waiters.removeValue(forKey: claim.ticket) != nil else { return nil }
        let name = claim.ticket.host
        _ = hosts[name]?.queue.remove(claim.ticket)
        return first(of: name)
    }

    /// Allows no request to the host until the given time, and then continues at the rate.
    ///
    /// - Returns: to be settled for the requests that are now too late, and for the first request.
    mutating func pause(_ name: String, until time: Duration, at now: Duration) -> [OneShot<Void>] {
        var host = hosts[name] ?? Host(full: now)
        guard time > host.pausedUntil else { return [] }
        host.pausedUntil = time
        host.full = time + burst
        var kept = WaitingLine()
        var moved: [OneShot<Void>] = []
        for ticket in host.queue.permits {
            guard let waiter = waiters[ticket] else { continue }
            if self.time(atPosition: kept.count, with: host, at: now) <= waiter.latest {
                kept.append(ticket)
            } else {
                waiters[ticket] = nil
                moved += [waiter.claim.isFirst, waiter.claim.isCancelled]
            }
        }
        host.queue = kept
        hosts[name] = host
        return moved + (first(of: name).map { [$0] } ?? [])
    }

    private func first(of name: String) -> OneShot<Void>? {
        hosts[name]?.queue.first.flatMap { waiters[$0]?.claim.isFirst }
    }

    /// The time of the turn at a position in the queue.
    private func time(atPosition position: Int, with host: Host, at now: Duration) -> Duration {
        max(now, host.pausedUntil, max(host.full, now) + interval * position - burst)
    }

    private mutating func removeIdle(at now: Duration) {
        guard hosts.count >= 64 else { return }
        hosts = hosts.filter { $0.value.full > now || $0.value.pausedUntil > now || !$0.value.queue.isEmpty }
    }
}
