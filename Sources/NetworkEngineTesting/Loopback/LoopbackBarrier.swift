/// A gate that holds exchanges until enough of them have come, or until it is opened by hand.
///
/// ```swift
/// let gate = LoopbackBarrier(count: 3)
/// let server = try LoopbackServer { _ in .text("go").held(by: gate) }
/// ```
/// Once open it stays open. It may be shared by several servers.
public final class LoopbackBarrier: Sendable {
    private struct State: Sendable {
        var arrivals = 0
        var isOpen = false
        var held: [@Sendable () -> Void] = []

        mutating func open() -> [@Sendable () -> Void] {
            isOpen = true
            defer { held = [] }
            return held
        }
    }

    private let count: Int
    private let state = Watched(State())

    /// A gate that opens when so many exchanges wait at it; without a number, only `open()` does that.
    public init(count: Int = .max) { self.count = count }

    /// How many exchanges have come so far.
    public var arrivals: Int { state.value.arrivals }

    /// Lets everything through that waits, and everything that comes.
    public func open() {
        for resume in state.change({ $0.open() }) { resume() }
    }

    /// Waits until so many exchanges have come, whether they were let through or not; throws when cancelled.
    public func arrivals(atLeast count: Int) async throws {
        try await state.wait { $0.arrivals >= count ? () : nil }
    }

    /// Waits until the gate is open; throws when cancelled.
    public func opened() async throws {
        try await state.wait { $0.isOpen ? () : nil }
    }

    /// Counts an exchange; `false` when it need not wait. `resume` is called once if it has to.
    func holds(_ resume: @escaping @Sendable () -> Void) -> Bool {
        let released = state.change { state -> [@Sendable () -> Void]? in
            state.arrivals += 1
            if state.isOpen || state.arrivals >= count { return state.open() }
            state.held.append(resume)
            return nil
        }
        for resume in released ?? [] { resume() }
        return released == nil
    }
}
