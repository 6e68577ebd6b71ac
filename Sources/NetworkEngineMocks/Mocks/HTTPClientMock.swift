public import Foundation
public import NetworkEngine

/// A client that answers from a script and records its calls.
///
/// ```swift
/// let client = HTTPClientMock(.status(503))       // first this, …
/// client.answer = .value(User(id: 7))             // … then this, as often as it is asked
/// let users = Users(client: client)
/// ```
/// Callbacks work as with a real client. A call without an answer fails with an error that contains its endpoint,
/// unless you set `answer`, for example to `.empty`. Mocks share no state and can be used from any thread.
public final class HTTPClientMock: HTTPClientContract {
    private let script: ClientScript<Endpoint, ClientAnswer>
    private let decoder: JSONDecoder?

    /// Creates a mock that returns these answers in order.
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

    /// Adds answers to return in order.
    public func answers(_ answers: ClientAnswer...) { script.add(answers) }

    /// All endpoints in order of arrival, whether the call succeeded or not.
    public var endpoints: [Endpoint] { script.calls }

    /// Removes all recorded calls and all answers.
    public func reset() { script.reset() }

    /// Returns the next answer.
    ///
    /// A `.value` that is a page also answers a call for a page with its response; the response has status 200. Each
    /// event stream connection takes one answer. `Data` passed as a value is the stream's text, and `.empty` ends the
    /// stream.
    @concurrent
    public func run<Value: Sendable>(
        _ endpoint: Endpoint,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(NetworkError) -> Value {
        var below = settings
        below.onFailure = nil
        if below.isStep { (below.change, below.validation) = (nil, nil) }
        do throws(NetworkError) {
            return try await answer(endpoint, decoding, below)
        } catch {
            settings.onFailure?(error)
            throw error
        }
    }

    private func answer<Value: Sendable>(
        _ endpoint: Endpoint,
        _ decoding: ResponseDecoding<Value>,
        _ settings: CallSettings
    ) async throws(NetworkError) -> Value {
        let plain = endpoint.requested
        switch try await content(for: plain) {
        case .failure(let error): throw error
        case .response(let answer, let decoder):
            return try await noticed { () throws(NetworkError) in
                try await client(answer, decoder).run(endpoint, decoding, settings: settings)
            }
        case .empty:
            return try await firstAccepted { client throws(NetworkError) in
                try await client.run(endpoint, decoding, settings: settings)
            }
        case .value(let value):
            let request = try client(.empty).request(for: endpoint)
            if let value = value as? Value { return value }
            // The caller ignores the value.
            if let nothing = () as? Value { return nothing }
            if decoding.isDiscardable, let data = Self.bytes(of: value) as? Value { return data }
            let response = HTTPResponse(statusCode: 200, request: request)
            let type = Value.self as? any ValueWithResponse.Type
            if let answer = type?.init(value: value, response: response), let value = answer as? Value { return value }
            guard let data = value as? Data else { throw Self.mismatch(of: value, with: Value.self, plain) }
            let contentType = Value.self is ResponseStream.Type ? "text/event-stream" : nil
            return try await noticed { () throws(NetworkError) in
                try await client(.data(data, type: contentType)).run(endpoint, decoding, settings: settings)
            }
        }
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

    private func client(_ answer: MockAnswer, _ loaders: JSONDecoder? = nil) -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(answer, clock: script.clock), script.clock)
        configuration.decoder = decoder ?? loaders ?? configuration.decoder
        return HTTPClient(baseURL: Self.base, configuration: configuration)
    }

    private static let base = URL(string: "http://mock.test") ?? URL(fileURLWithPath: "/")

    /// A value's JSON, for a call without a type; empty for a value that cannot be encoded.
    private static func bytes(of value: any Sendable) -> Data {
        (value as? any Encodable).flatMap { try? JSONEncoder().encode($0) } ?? Data()
    }

    private static func mismatch(of value: any Sendable, with type: Any.Type, _ endpoint: Endpoint) -> NetworkError {
        let reason = "the mock client has a \(Swift.type(of: value)) for \(endpoint), and \(type) was asked for"
        return MockNotice.given(NetworkError(kind: .decoding, reason: reason))
    }
}
