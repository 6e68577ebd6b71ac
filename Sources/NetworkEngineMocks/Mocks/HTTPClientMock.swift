public import Foundation
public import NetworkEngine

/// A client that answers from a script and records its calls.
///
/// ```swift
/// let client = HTTPClientMock(.status(503))       // first this, …
/// client.answer = .value(User(id: 7))             // … then this, as often as it is asked
/// let users = Users(client: client)
/// ```
/// Callbacks work as with a real client. A call without an answer fails with an error that names its endpoint, unless
/// `answer` is set, for example to `.empty`. Mocks share no state and can be used from any thread.
public final class HTTPClientMock: HTTPClientContract {
    private let script: ClientScript<Endpoint, ClientAnswer>
    private let decoder: JSONDecoder?

    /// Creates a mock that gives these answers in order.
    ///
    /// - Parameters:
    ///   - answer: The answer to use when all others are used up, such as `.empty`.
    ///   - decoder: Decodes bodies. Without it, a fixture is decoded by its loader's decoder.
    ///   - clock: Measures delays.
    public init(
        _ answers: ClientAnswer...,
        otherwise answer: ClientAnswer? = nil,
        decoder: JSONDecoder? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        script = ClientScript(answers, otherwise: answer, clock: clock)
        self.decoder = decoder
    }

    /// The answer to use when all others are used up.
    public var answer: ClientAnswer? {
        get { script.fallback }
        set { script.fallback = newValue }
    }

    /// Adds answers to give in order.
    public func answers(_ answers: ClientAnswer...) { script.add(answers) }

    /// All endpoints in order of arrival, whether the call succeeded or not.
    public var endpoints: [Endpoint] { script.calls }

    /// Removes all recorded calls and all answers.
    public func reset() { script.reset() }

    public func request<T: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> T {
        switch try await content(for: endpoint) {
        case .failure(let error): throw error
        case .response(let answer, let decoder):
            return try await noticed { () throws(NetworkError) in try await client(answer, decoder).request(endpoint) }
        case .value(let value as T):
            try check(TypedEndpoint(endpoint, decoding: .data))
            return value
        case .value(let body as Data):
            return try await noticed { () throws(NetworkError) in try await client(.data(body)).request(endpoint) }
        case .value(let value): throw Self.mismatch(of: value, with: T.self, endpoint)
        case .empty:
            return try await firstAccepted { client throws(NetworkError) in try await client.request(endpoint) }
        }
    }

    public func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data {
        switch try await content(for: endpoint) {
        case .failure(let error): throw error
        case .response(let answer, _): return try await client(answer).request(endpoint)
        case .value(let value as Data):
            try check(TypedEndpoint(endpoint, decoding: .data))
            return value
        case .value(let value): throw Self.mismatch(of: value, with: Data.self, endpoint)
        case .empty: return Data()
        }
    }

    /// Returns the value of an endpoint that has its own decoding, validation or building.
    ///
    /// A `.value` that is a page answers a call for a page with its response, too: the response has the status 200.
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(NetworkError) -> Value {
        let plain = endpoint.requested
        switch try await content(for: plain) {
        case .failure(let error): throw error
        case .response(let answer, let decoder):
            return try await noticed { () throws(NetworkError) in try await client(answer, decoder).request(endpoint) }
        case .empty:
            return try await firstAccepted { client throws(NetworkError) in try await client.request(endpoint) }
        case .value(let value):
            let request = try check(endpoint)
            if let value = value as? Value { return value }
            let response = HTTPResponse(statusCode: 200, request: request)
            let type = Value.self as? any ValueWithResponse.Type
            if let value = type?.init(value: value, response: response) as? Value { return value }
            if let data = value as? Data {
                return try await noticed { () throws(NetworkError) in try await client(.data(data)).request(endpoint) }
            }
            throw Self.mismatch(of: value, with: Value.self, plain)
        }
    }

    /// Returns the events of the answers in order, one answer for each connection.
    ///
    /// `Data` given as a value is the text of events, and `.empty` ends them. Other values have no events.
    public func events(_ endpoint: Endpoint) -> ServerSentEvents {
        let answer = MockAnswer.handler { [self] _ in
            switch try await content(for: endpoint) {
            case .failure(let error): throw error
            case .response(let answer, _): return answer
            case .empty: return .empty
            case .value(let text as Data): return .data(text, type: "text/event-stream")
            case .value(let value): throw Self.mismatch(of: value, with: ServerSentEvents.self, endpoint)
            }
        }
        return client(answer.repeating()).events(endpoint)
    }

    private func content(for endpoint: Endpoint) async throws(NetworkError) -> ClientAnswer.Content {
        guard let answer = script.answer(to: endpoint) else {
            throw NetworkError(kind: .transport, reason: "the mock client has no answer for \(endpoint)")
        }
        do {
            return try await script.content(of: answer)
        } catch {
            throw NetworkError(kind: .cancelled)
        }
    }

    /// Reports an answer that cannot be decoded.
    private func noticed<Value: Sendable>(
        _ call: @Sendable @concurrent () async throws(NetworkError) -> Value
    ) async throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try await call()
        } catch {
            throw MockNotice.given(error)
        }
    }

    /// Returns the value of a response without a body, or of an empty list or object.
    private func firstAccepted<Value: Sendable>(
        _ request: @Sendable @concurrent (HTTPClient) async throws(NetworkError) -> Value
    ) async throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try await request(client(.empty))
        } catch {
            for body in ["[]", "{}"] where error.kind == .emptyBody {
                if let value = try? await request(client(.json(body))) { return value }
            }
            throw error
        }
    }

    /// Makes the request of a call that is answered with a value, as a real client would.
    ///
    /// Throws its error if the endpoint is not valid.
    @discardableResult
    private func check(_ endpoint: TypedEndpoint<some Any>) throws(NetworkError) -> HTTPRequest {
        try client(.empty).request(for: endpoint)
    }

    private func client(_ answer: MockAnswer, _ loaders: JSONDecoder? = nil) -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(answer, clock: script.clock), script.clock)
        configuration.decoder = decoder ?? loaders ?? configuration.decoder
        return HTTPClient(baseURL: Self.base, configuration: configuration)
    }

    private static let base = URL(string: "http://mock.test") ?? URL(fileURLWithPath: "/")

    private static func mismatch(of value: any Sendable, with type: Any.Type, _ endpoint: Endpoint) -> NetworkError {
        let reason = "the mock client has a \(Swift.type(of: value)) for \(endpoint), and \(type) was asked for"
        return MockNotice.given(NetworkError(kind: .decoding, reason: reason))
    }
}
