/// Decides which of a transport's event loops gets an exchange. A pure value.
///
/// One loop is enough for few exchanges: it handles simultaneous events without waking another thread. From a certain
/// number of exchanges on, the loop with the fewest gets the next one. An origin that may support HTTP/2 remains on one
/// loop, and therefore on one connection, until the connection is about to run out of streams, or the origin responds
/// over HTTP/1.1.
struct LoopBalance: Sendable {
    /// The number of exchanges at which a loop starts sharing its work.
    static let usualShare = 8
    /// Servers allow at least 100 streams on a connection.
    private static let streams = 100
    private static let mostOrigins = 1_000

    private struct Home {
        let loop: Int
        var running = 0
    }

    private var loads: [Int]
    private var isUsable: [Bool]
    private let share: Int
    /// The loops of origins that may support HTTP/2.
    private var homes: [String: Home] = [:]
    /// Origins that do not.
    private var spread: Set<String> = []

    init(loops: Int, share: Int = LoopBalance.usualShare) {
        loads = Array(repeating: 0, count: max(1, loops))
        isUsable = Array(repeating: true, count: max(1, loops))
        self.share = max(1, share)
    }

    /// Selects the loop for an exchange, which counts there from now on.
    ///
    /// - Parameter mayMultiplex: whether HTTP/2 is offered.
    mutating func enter(origin: String, mayMultiplex: Bool) -> Int {
        let loop = mayMultiplex ? home(of: origin) ?? next : next
        loads[loop] += 1
        return loop
    }

    /// An exchange has ended.
    mutating func leave(_ loop: Int, origin: String) {
        guard loads.indices.contains(loop) else { return }
        loads[loop] = max(0, loads[loop] - 1)
        guard var home = homes[origin], home.loop == loop else { return }
        home.running = max(0, home.running - 1)
        homes[origin] = home
    }

    /// An exchange moves from one loop to another.
    mutating func move(from old: Int, to new: Int, origin: String) {
        leave(old, origin: origin)
        if loads.indices.contains(new) { loads[new] += 1 }
    }

    /// An origin that was offered HTTP/2 has responded over HTTP/1.1.
    mutating func spread(_ origin: String) {
        homes[origin] = nil
        if spread.count < Self.mostOrigins { spread.insert(origin) }
    }

    /// Whether a loop accepts exchanges: not while the system lacks what it needs.
    mutating func setUsable(_ loop: Int, _ isUsable: Bool) {
        if self.isUsable.indices.contains(loop) { self.isUsable[loop] = isUsable }
    }

    func isUsable(_ loop: Int) -> Bool { isUsable.indices.contains(loop) && isUsable[loop] }

    private mutating func home(of origin: String) -> Int? {
        if var home = homes[origin], isUsable[home.loop] {
            guard home.running < Self.streams else { return nil }
            home.running += 1
            homes[origin] = home
            return home.loop
        }
        guard !spread.contains(origin), homes.count < Self.mostOrigins || homes[origin] != nil else { return nil }
        let loop = next
        homes[origin] = Home(loop: loop, running: 1)
        return loop
    }

    /// The loop for the next exchange with any origin.
    private var next: Int {
        var least: Int?
        for loop in loads.indices where isUsable[loop] {
            if loads[loop] < share { return loop }
            if least.map({ loads[loop] < loads[$0] }) ?? true { least = loop }
        }
        return least ?? 0
    }
}
