/// A gate that holds exchanges until enough of them have arrived, or until it is opened.
///
/// ```swift
/// let gate = LoopbackBarrier(count: 3)
/// let server = try LoopbackServer { _ in .text("go").held(by: gate) }
/// ```
/// Once opened, it remains open. Several servers can share it.
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
    private let state = ObservedState(State())

    /// Creates a gate that opens when the given number of exchanges wait at it. Without a number, only `open()` opens
    /// it.
    public init(count: Int = .max) { self.count = count }

    /// The number of exchanges that have arrived.
    public var arrivals: Int { state.value.arrivals }

    /// Opens the gate for all waiting and future exchanges.
    public func open() {
        for resume in state.change({ $0.open() }) { resume() }
    }

    /// Waits until the given number of exchanges have arrived. Throws when canceled.
    public func arrivals(atLeast count: Int) async throws {
        try await state.wait { $0.arrivals >= count ? () : nil }
    }

    /// Waits until the gate is open. Throws when canceled.
    public func opened() async throws {
        try await state.wait { $0.isOpen ? () : nil }
    }

    /// Counts an exchange. Returns `false` if it does not have to wait; otherwise `resume` is called once.
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
