import NetworkEngine

/// A gate that holds exchanges until enough of them have come, or until it is opened by hand.
///
/// ```swift
/// let gate = LoopbackBarrier(count: 3)
/// server.enqueue(.text("a").held(by: gate), .text("b").held(by: gate), .text("c").held(by: gate))
/// ```
/// Once open it stays open. It may be shared by several servers.
public final class LoopbackBarrier: Sendable {
    private struct State {
        var arrivals = 0
        var isOpen = false
        var held: [@Sendable () -> Void] = []
        var watchers: [(count: Int, resume: @Sendable () -> Void)] = []
    }

    private let count: Int
    private let state = Locked(State())

    /// A gate that opens when so many exchanges wait at it; without a number, only `open()` does that.
    public init(count: Int = .max) { self.count = count }

    /// How many exchanges have come so far.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Lets everything through that waits, and everything that comes.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for resume in held { resume() }
    }

    /// Waits until so many exchanges have come, whether they were let through or not.
    public func arrivals(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.arrivals < count else { return true }
                state.watchers.append((count, { continuation.resume() }))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Counts an exchange; `false` when it need not wait. `resume` is called once if it has to.
    func holds(_ resume: @escaping @Sendable () -> Void) -> Bool {
        let (isHeld, released) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            state.arrivals += 1
            var released = state.watchers.filter { $0.count <= state.arrivals }.map(\.resume)
            state.watchers.removeAll { $0.count <= state.arrivals }
            if state.arrivals >= count { state.isOpen = true }
            guard state.isOpen else {
                state.held.append(resume)
                return (true, released)
            }
            released += state.held
            state.held = []
            return (false, released)
        }
        for resume in released { resume() }
        return isHeld
    }
}
