public import NetworkEngine

/// What a mock client gives: a value, an error, or what a real client makes of an answer on the wire.
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

    /// This value, where its type is what was asked for.
    public static func value(_ value: some Sendable) -> ClientAnswer { ClientAnswer(content: .value(value)) }

    /// This error, as it is.
    public static func failure(_ error: NetworkError) -> ClientAnswer { ClientAnswer(content: .failure(error)) }

    /// What a real client makes of this answer: the status is judged and the body decoded.
    public static func response(_ answer: MockAnswer) -> ClientAnswer { ClientAnswer(content: .response(answer)) }

    /// The same answer after a pause on the mock's clock.
    public func delayed(by delay: Duration) -> ClientAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }
}
