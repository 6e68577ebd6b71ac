@testable import NetworkEngine
@testable import NetworkEngineTesting

/// One call of a storm: where it is to be canceled, how long after, and how often it called back.
final class StormCall: Sendable {
    enum Phase: String, CaseIterable { case never, adapt, queue, connect, head, body, decode }

    private struct State {
        var request: (any NetworkRequest)?
        var isDue = false
    }

    let phase: Phase
    /// How many turns of other work pass between coming to the phase and the canceling.
    private let turns: Int
    private let state = Locked(State())
    private let alive: Tally

    init(number: Int, alive: Tally) {
        var random = SeededGenerator(seed: UInt64(number))
        phase = Phase.allCases.randomElement(using: &random) ?? .never
        turns = Bool.random(using: &random) ? 0 : Int.random(in: 1...200, using: &random)
        self.alive = alive
        alive.add()
    }

    deinit { alive.add(-1) }

    /// Whether the other end keeps silent, so that only the cancellation ends the call.
    var isHeld: Bool { phase == .head || phase == .body }

    /// The request is known from here on.
    func started(_ request: any NetworkRequest) {
        let isDue = state.withLock { state in
            state.request = request
            return state.isDue
        }
        if isDue { request.cancel() }
    }

    /// The call has come to a phase; cancels it if that is the one, on this thread or a little later.
    func reached(_ phase: Phase) {
        guard phase == self.phase else { return }
        guard turns > 0 else { return cancel() }
        Task.detached { [self] in
            for _ in 0..<turns { await Task.yield() }
            cancel()
        }
    }

    /// The fault of an outcome, if it has one.
    func complaint(_ outcome: Result<StormUser, NetworkError>, _ request: any NetworkRequest) -> String? {
        switch outcome {
        case .success where request.isCancelled: "a value although it was cancelled"
        case .success where isHeld: "a value although none was sent"
        case .success: nil
        case .failure(let error) where error.kind != .cancelled: "\(phase): \(error)"
        case .failure: request.isCancelled && phase != .never ? nil : "cancelled by nobody"
        }
    }

    private func cancel() {
        let request = state.withLock { state in
            state.isDue = true
            return state.request
        }
        request?.cancel()
    }
}
