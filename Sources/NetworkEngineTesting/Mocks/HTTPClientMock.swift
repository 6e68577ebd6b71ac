public import Foundation
public import NetworkEngine

/// A client that answers from a script and remembers what it was asked.
///
/// ```swift
/// let client = HTTPClientMock(.response(.status(503)))      // first this, …
/// client.answer = .value(User(id: 7))                       // … then this, as often as it is asked
/// let users = Users(client: client)
/// ```
/// Callbacks work as with a real client. A call for which there is no answer fails with an error that names it. Every mock
/// is a world of its own and may be used from anywhere.
public final class HTTPClientMock: HTTPClientContract {
    private let script: Locked<ClientScript<Endpoint>>
    private let clock: any Clock<Duration>

    /// Makes a mock that gives these answers, one after the other.
    ///
    /// - Parameter clock: what delays are measured on.
    public init(_ answers: ClientAnswer..., clock: any Clock<Duration> = ContinuousClock()) {
        script = Locked(ClientScript(answers: answers))
        self.clock = clock
    }

    /// What is given every time when the answers in line are used up.
    public var answer: ClientAnswer? {
        get { script.withLock { $0.standing } }
        set { script.withLock { $0.standing = newValue } }
    }

    /// Adds answers, which are given one after the other.
    public func answers(_ answers: ClientAnswer...) {
        script.withLock { $0.answers += answers }
    }

    /// Every endpoint so far in the order of arrival, whether its call succeeded or not.
    public var endpoints: [Endpoint] { script.withLock { $0.calls } }

    /// Forgets what was asked and what was to be answered.
    public func reset() {
        script.withLock { $0 = ClientScript() }
    }

    public func request<T: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> T {
        switch try await content(for: endpoint) {
        case .failure(let error): throw error
        case .response(let answer): return try await client(answer).request(endpoint)
        case .value(let value):
            guard let value = value as? T else { throw Self.mismatch(of: value, with: T.self, endpoint) }
            return value
        }
    }

    public func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data {
        switch try await content(for: endpoint) {
        case .failure(let error): throw error
        case .response(let answer): return try await client(answer).request(endpoint)
        case .value(let value):
            guard let value = value as? Data else { throw Self.mismatch(of: value, with: Data.self, endpoint) }
            return value
        }
    }

    /// The events of the answers in their order, one for each connection; values have none.
    public func events(_ endpoint: Endpoint) -> ServerSentEvents {
        let wire = MockAnswer.handler { [self] _ in
            switch try await content(for: endpoint) {
            case .failure(let error): throw error
            case .response(let answer): return answer
            case .value(let value): throw Self.mismatch(of: value, with: ServerSentEvents.self, endpoint)
            }
        }
        return client(wire.repeating()).events(endpoint)
    }

    private func content(for endpoint: Endpoint) async throws(NetworkError) -> ClientAnswer.Content {
        guard let answer = script.withLock({ $0.answer(to: endpoint) }) else {
            throw NetworkError(kind: .transport, reason: "the mock client has no answer for \(endpoint)")
        }
        do {
            if answer.delay > .zero { try await Timebase.reading(clock).sleep(for: answer.delay) }
            try Task.checkCancellation()
        } catch {
            throw NetworkError(kind: .cancelled)
        }
        return answer.content
    }

    /// A real client, on a wire that gives this answer.
    private func client(_ answer: MockAnswer) -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(answer, clock: clock), clock)
        return HTTPClient(baseURL: Self.base, configuration: configuration)
    }

    private static let base = URL(string: "http://mock.test") ?? URL(fileURLWithPath: "/")

    private static func mismatch(of value: any Sendable, with type: Any.Type, _ endpoint: Endpoint) -> NetworkError {
        let reason = "the mock client has a \(Swift.type(of: value)) for \(endpoint), and \(type) was asked for"
        return NetworkError(kind: .decoding, reason: reason)
    }
}
