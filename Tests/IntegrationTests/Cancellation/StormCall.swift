@testable import NetworkEngine
@testable import NetworkEngineTesting

/// One call in a storm: its cancellation phase, the delay, and the number of callbacks.
final class StormCall: Sendable {
    enum Phase: String, CaseIterable { case never, adapt, queue, connect, head, body, decode }

    private struct State {
        var request: (any NetworkRequest)?
        var isDue = false
    }

    let phase: Phase
    /// The number of yields between reaching the phase and the cancellation.
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

    /// Whether the peer doesn't respond, so that only the cancellation ends the call.
    var isHeld: Bool { phase == .head || phase == .body }

    /// The request is available from now on.
    func started(_ request: any NetworkRequest) {
        let isDue = state.withLock { state in
            state.request = request
            return state.isDue
        }
        if isDue { request.cancel() }
    }

    /// The call has reached a phase. Cancels the call if it's the chosen phase, on this thread or a little later.
    func reached(_ phase: Phase) {
        guard phase == self.phase else { return }
        guard turns > 0 else { return cancel() }
        Task.detached { [self] in
            for _ in 0..<turns { await Task.yield() }
            cancel()
        }
    }

    /// The fault in an outcome; `nil` if it's correct.
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
