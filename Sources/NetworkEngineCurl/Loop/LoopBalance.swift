/// Decides which event loop of a transport takes an exchange. A pure value.
///
/// One loop is enough for few exchanges: it handles what arrives together without waking another thread. From a number
/// of exchanges on, the loop with the fewest takes the next one. An origin that speaks HTTP/2 stays on one loop, and so
/// on one connection, until that is about to run out of streams.
package struct LoopBalance: Sendable {
    /// The number of exchanges from which on a loop shares its work.
    package static let usualShare = 8
    /// Servers permit at least 100 streams on a connection.
    private static let streams = 100
    private static let mostOrigins = 1_000

    private var loads: [Int]
    private let share: Int
    /// The loops of origins that speak HTTP/2.
    private var homes: [String: Int] = [:]

    package init(loops: Int, share: Int = LoopBalance.usualShare) {
        loads = Array(repeating: 0, count: max(1, loops))
        self.share = max(1, share)
    }

    /// Chooses the loop for an exchange, which counts there from now on.
    package mutating func enter(origin: String) -> Int {
        let loop = choose(origin)
        loads[loop] += 1
        return loop
    }

    /// An exchange has ended, or needs its place no longer.
    package mutating func leave(_ loop: Int) {
        if loads.indices.contains(loop) { loads[loop] = max(0, loads[loop] - 1) }
    }

    /// An exchange moves from one loop to another.
    package mutating func move(from old: Int, to new: Int) {
        leave(old)
        if loads.indices.contains(new) { loads[new] += 1 }
    }

    /// An origin has answered by HTTP/2 on this loop.
    package mutating func keep(_ origin: String, on loop: Int) {
        if homes[origin] == nil, homes.count < Self.mostOrigins { homes[origin] = loop }
    }

    private func choose(_ origin: String) -> Int {
        if let home = homes[origin], loads[home] < Self.streams { return home }
        if let free = loads.firstIndex(where: { $0 < share }) { return free }
        return loads.indices.min { loads[$0] < loads[$1] } ?? 0
    }
}
