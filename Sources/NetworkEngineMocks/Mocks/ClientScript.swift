import NetworkEngine

/// An answer that a script returns after a delay.
protocol ScriptedAnswer: Sendable {
    associatedtype Content: Sendable
    var content: Content { get }
    /// `nil` for an answer that never comes.
    var delay: Duration? { get }
}

/// A mock client's calls and answers.
final class ClientScript<Call: Sendable, Answer: ScriptedAnswer>: Sendable {
    private struct State {
        var answers: [Answer] = []
        var fallback: Answer?
        var calls: [Call] = []
    }

    let clock: any Clock<Duration>
    private let state: Locked<State>

    init(_ answers: [Answer], otherwise fallback: Answer?, clock: any Clock<Duration>) {
        self.clock = clock
        state = Locked(State(answers: answers, fallback: fallback))
    }

    var calls: [Call] { state.withLock { $0.calls } }

    /// The answer to use when the others are used up.
    var fallback: Answer? {
        get { state.withLock { $0.fallback } }
        set { state.withLock { $0.fallback = newValue } }
    }

    func add(_ answers: [Answer]) { state.withLock { $0.answers += answers } }

    func reset() { state.withLock { $0 = State() } }

    /// Records a call and takes its answer.
    func answer(to call: Call) -> Answer? {
        state.withLock { state in
            state.calls.append(call)
            return state.answers.isEmpty ? state.fallback : state.answers.removeFirst()
        }
    }

    /// Waits for an answer's delay; throws when canceled.
    func content(of answer: Answer) async throws -> Answer.Content {
        guard let delay = answer.delay else { throw await untilCancelled() }
        try await clock.pause(for: delay)
        try Task.checkCancellation()
        return answer.content
    }
}
