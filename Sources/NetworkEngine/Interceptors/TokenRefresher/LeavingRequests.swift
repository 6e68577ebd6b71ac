/// The requests that are being sent, by their call's session.
struct LeavingRequests: Sendable {
    private struct Group {
        var count = 0
        /// The time of the last departure.
        var last = Duration.zero
        var waiters: [OneShot<Void>] = []
    }

    private var groups: [Int: Group] = [:]

    mutating func begin(in session: Int, at now: Duration) {
        groups[session, default: Group()].count += 1
        groups[session]?.last = now
    }

    /// - Returns: the waiters for the session's last request.
    mutating func end(in session: Int) -> [OneShot<Void>] {
        guard var group = groups[session] else { return [] }
        group.count -= 1
        groups[session] = group.count > 0 ? group : nil
        return group.count > 0 ? [] : group.waiters
    }

    /// Waits for the requests of a session and all earlier sessions, which end together.
    ///
    /// - Returns: for each session with such requests, a signal for the last one, and the time of the last departure.
    mutating func wait(through session: Int) -> [(left: OneShot<Void>, last: Duration)] {
        groups.keys.filter { $0 <= session }.compactMap { key in
            guard let last = groups[key]?.last else { return nil }
            let left = OneShot<Void>()
            groups[key]?.waiters.append(left)
            return (left, last)
        }
    }
}
