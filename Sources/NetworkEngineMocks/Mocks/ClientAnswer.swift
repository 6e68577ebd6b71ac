public import NetworkEngine

/// The answer of a mock client: a value, an error, or the result of a response.
///
/// ```swift
/// .value(User(id: 7))
/// .failure(NetworkError(kind: .offline))
/// .response(.status(404)).delayed(by: .seconds(1))
/// ```
public struct ClientAnswer: Sendable {
    enum Content: Sendable {
        case value(any Sendable)
        case failure(NetworkError)
        case response(MockAnswer)
    }

    let content: Content
    private(set) var delay: Duration = .zero

    /// Returns a value, which must have the requested type.
    public static func value(_ value: some Sendable) -> ClientAnswer { ClientAnswer(content: .value(value)) }

    /// Throws an error.
    public static func failure(_ error: NetworkError) -> ClientAnswer { ClientAnswer(content: .failure(error)) }

    /// Returns what a real client makes of a response: the status is validated and the body decoded.
    public static func response(_ answer: MockAnswer) -> ClientAnswer { ClientAnswer(content: .response(answer)) }

    /// Returns the answer with a delay on the mock's clock.
    public func delayed(by delay: Duration) -> ClientAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }
}

/// The calls and answers of a mock client.
final class ClientScript<Call: Sendable>: Sendable {
    private struct State {
        var answers: [ClientAnswer] = []
        var fallback: ClientAnswer?
        var calls: [Call] = []
    }

    let clock: any Clock<Duration>
    private let state: Locked<State>

    init(_ answers: [ClientAnswer], clock: any Clock<Duration>) {
        self.clock = clock
        state = Locked(State(answers: answers))
    }

    var calls: [Call] { state.withLock { $0.calls } }

    /// The answer to use when the others are used up.
    var fallback: ClientAnswer? {
        get { state.withLock { $0.fallback } }
        set { state.withLock { $0.fallback = newValue } }
    }

    func add(_ answers: [ClientAnswer]) { state.withLock { $0.answers += answers } }

    func reset() { state.withLock { $0 = State() } }

    /// Records a call and takes its answer.
    func answer(to call: Call) -> ClientAnswer? {
        state.withLock { state in
            state.calls.append(call)
            return state.answers.isEmpty ? state.fallback : state.answers.removeFirst()
        }
    }

    /// Waits for an answer's delay; throws when cancelled.
    func content(of answer: ClientAnswer) async throws -> ClientAnswer.Content {
        try await clock.pause(for: answer.delay)
        try Task.checkCancellation()
        return answer.content
    }
}
