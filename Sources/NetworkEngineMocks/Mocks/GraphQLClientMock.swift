public import Foundation
public import NetworkEngine
public import NetworkEngineGraphQL

/// A GraphQL client that answers from a script and records its operations.
///
/// ```swift
/// let client = GraphQLClientMock(.errors(GraphQLResponseError(message: "no")))     // first this, …
/// client.answer = .data(#"{"name": "Ada"}"#)                                       // … then this
/// ```
/// Responses are processed as in a real client. An operation without an answer fails with an error that contains its
/// name. Mocks share no state and can be used from any thread.
public final class GraphQLClientMock: NetworkCalling {
    private let script: ClientScript<GraphQLOperation, GraphQLAnswer>
    private let decoder: JSONDecoder?

    /// Creates a mock that returns these answers in order.
    ///
    /// - Parameters:
    ///   - answer: The answer to use when all others are used up, such as `.empty`.
    ///   - decoder: Decodes the data of responses. Without it, a fixture is decoded by its loader's decoder.
    ///   - clock: Measures delays.
    public init(
        _ answers: GraphQLAnswer...,
        otherwise answer: GraphQLAnswer? = nil,
        decoder: JSONDecoder? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        script = ClientScript(answers, otherwise: answer, clock: clock)
        self.decoder = decoder
    }

    /// The answer to use when all others are used up.
    public var answer: GraphQLAnswer? {
        get { script.fallback }
        set { script.fallback = newValue }
    }

    /// Adds answers to return in order.
    public func answers(_ answers: GraphQLAnswer...) { script.add(answers) }

    /// All operations in order of arrival, successful or not.
    public var operations: [GraphQLOperation] { script.calls }

    /// Removes all recorded calls and all answers.
    public func reset() { script.reset() }

    /// Returns the next answer. Uploads are ignored.
    ///
    /// Each subscription uses one answer and takes it when the first value is requested, like a real client: the events
    /// in a response, one event for data or errors, or the elements of an array value.
    @concurrent
    public func run<Value: Sendable>(
        _ operation: GraphQLOperation,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(GraphQLError) -> Value {
        let isSubscription = Value.self is any SubscribedValue.Type
        let (answer, loaders): (ClientAnswer, JSONDecoder?)
        switch try await content(for: operation) {
        case .failure(let error): throw error
        case .response(let response): (answer, loaders) = (.response(response), nil)
        case .body(let body, let decoder): (answer, loaders) = (.body(body, isEvent: isSubscription), decoder)
        case .empty:
            let type = Value.self as? any GraphQLValue.Type
            if let type, let empty = type.empty as? Value { return empty }
            (answer, loaders) = (.json(#"{"data": {}}"#), nil)
        case .value(let value):
            if let value = value as? Value { return value }
            let type = Value.self as? any GraphQLValue.Type
            if let type, let whole = type.init(mocking: value), let value = whole as? Value { return value }
            if let ignored = IgnoredData() as? Value { return ignored }
            guard let json = value as? Data else {
                let reason = "the mock client has a \(Swift.type(of: value)), and \(Value.self) was asked for"
                throw MockNotice.given(failure(.decoding, reason))
            }
            (answer, loaders) = (.body(GraphQLAnswer.body([("data", json)]), isEvent: isSubscription), nil)
        }
        do throws(GraphQLError) {
            return try await client(answer, loaders).run(operation, decoding, settings: settings)
        } catch {
            throw MockNotice.given(error)
        }
    }

    public func failure(for error: NetworkError) -> GraphQLError { client(.empty).failure(for: error) }

    private func client(_ answer: ClientAnswer, _ loaders: JSONDecoder? = nil) -> GraphQLClient {
        let decoder = decoder ?? loaders ?? JSONDecoder()
        return GraphQLClient(httpClient: HTTPClientMock(answer, clock: script.clock), decoder: decoder)
    }
}

extension GraphQLClientMock {
    private func answer(to operation: GraphQLOperation) throws(GraphQLError) -> GraphQLAnswer {
        if let answer = script.answer(to: operation) { return answer }
        let name = operation.operationName ?? operation.document
        throw failure(.transport, "the mock client has no answer for \(name.debugDescription)")
    }

    private func content(for operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer.Content {
        let answer = try answer(to: operation)
        do {
            return try await script.content(of: answer)
        } catch {
            throw failure(.cancelled, "")
        }
    }

    private func failure(_ kind: NetworkError.Kind, _ reason: String) -> GraphQLError {
        let error = NetworkError(kind: kind, reason: reason)
        return GraphQLError(kind: kind == .decoding ? .decodingFailed : .network, networkError: error)
    }
}

extension ClientAnswer {
    /// A response body, or one subscription event with it.
    fileprivate static func body(_ body: Data, isEvent: Bool) -> ClientAnswer {
        isEvent ? .data(body.asEvents, type: "text/event-stream") : .data(body)
    }
}

extension Data {
    /// A subscription with one response, as server-sent events.
    fileprivate var asEvents: Data {
        let lines = split(separator: UInt8(ascii: "\n")).map { Data("data: ".utf8) + $0 + Data("\n".utf8) }
        return Data("event: next\n".utf8) + lines.joined() + Data("\nevent: complete\n\n".utf8)
    }
}
