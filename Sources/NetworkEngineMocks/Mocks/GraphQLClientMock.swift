public import Foundation
import NetworkEngine
public import NetworkEngineGraphQL

/// A GraphQL client that answers from a script and records its operations.
///
/// ```swift
/// let client = GraphQLClientMock(.errors(GraphQLResponseError(message: "no")))     // first this, …
/// client.answer = .data(#"{"name": "Ada"}"#)                                       // … then this
/// ```
/// A response is processed as by a real client. An operation without an answer fails with an error that names it. Mocks
/// share no state and can be used from any thread.
public final class GraphQLClientMock: GraphQLClientContract {
    private let script: ClientScript<GraphQLOperation, GraphQLAnswer>
    private let decoder: JSONDecoder?

    /// Creates a mock that gives these answers in order.
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

    /// Adds answers to give in order.
    public func answers(_ answers: GraphQLAnswer...) { script.add(answers) }

    /// All operations in order of arrival, successful or not.
    public var operations: [GraphQLOperation] { script.calls }

    /// Removes all recorded calls and all answers.
    public func reset() { script.reset() }

    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation
    ) async throws(GraphQLError) -> Value {
        let outcome = try outcome(of: try await content(for: operation), as: Value.self)
        do throws(GraphQLError) {
            switch outcome {
            case .value(let value): return value
            case .response(let answer): return try await client(.response(answer)).execute(operation)
            case .body(let body, let decoder): return try await client(.data(body), decoder).execute(operation)
            case .empty: return try await client(.json(#"{"data": {}}"#)).execute(operation)
            }
        } catch {
            throw MockNotice.given(error)
        }
    }

    /// Answers as without uploads, which are ignored.
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value {
        try await execute(operation)
    }

    public func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        switch try outcome(of: try await content(for: operation), as: Value.self) {
        case .value(let value): return GraphQLResponse(data: value)
        case .response(let answer): return try await client(.response(answer)).response(to: operation)
        case .body(let body, let decoder): return try await client(.data(body), decoder).response(to: operation)
        case .empty: return GraphQLResponse()
        }
    }

    /// Returns the events of a response, one event for data or errors, or the elements of an array value.
    ///
    /// One answer serves one subscription, and is taken when the first value is requested, as by a real client.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value> {
        GraphQLSubscription { [self] () async throws(GraphQLError) in
            let content = try await content(for: operation)
            if case .value(let values as [Value]) = content {
                return GraphQLSubscription(values.map { GraphQLResponse(data: $0) })
            }
            switch try outcome(of: content, as: type) {
            case .value(let value): return GraphQLSubscription([GraphQLResponse(data: value)])
            case .response(let answer): return client(.response(answer)).subscribe(to: operation, as: type)
            case .body(let body, let decoder):
                let events = ClientAnswer.data(body.asEvents, type: "text/event-stream")
                return client(events, decoder).subscribe(to: operation, as: type)
            case .empty: return GraphQLSubscription([])
            }
        }
    }

    private func client(_ answer: ClientAnswer, _ loaders: JSONDecoder? = nil) -> GraphQLClient {
        let decoder = decoder ?? loaders ?? JSONDecoder()
        return GraphQLClient(httpClient: HTTPClientMock(answer, clock: script.clock), decoder: decoder)
    }
}

extension GraphQLClientMock {
    /// A value, or what a real client makes one of.
    private enum Outcome<Value> {
        case value(Value)
        case response(MockAnswer)
        case body(Data, JSONDecoder?)
        case empty
    }

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

    private func outcome<Value>(
        of content: GraphQLAnswer.Content,
        as type: Value.Type
    ) throws(GraphQLError) -> Outcome<Value> {
        switch content {
        case .failure(let error): throw error
        case .response(let answer): return .response(answer)
        case .body(let body, let decoder): return .body(body, decoder)
        case .empty: return .empty
        case .value(let value as Value): return .value(value)
        case .value(let value):
            if let ignored = IgnoredData() as? Value { return .value(ignored) }
            if let json = value as? Data { return .body(GraphQLAnswer.body([("data", json)]), nil) }
            throw failure(.decoding, "the mock client has a \(Swift.type(of: value)), and \(type) was asked for")
        }
    }

    private func failure(_ kind: NetworkError.Kind, _ reason: String) -> GraphQLError {
        let error = NetworkError(kind: kind, reason: reason)
        return GraphQLError(kind: kind == .decoding ? .decodingFailed : .network, networkError: error)
    }
}

extension Data {
    /// A subscription with one response, as server-sent events.
    fileprivate var asEvents: Data {
        let lines = split(separator: UInt8(ascii: "\n")).map { Data("data: ".utf8) + $0 + Data("\n".utf8) }
        return Data("event: next\n".utf8) + lines.joined() + Data("\nevent: complete\n\n".utf8)
    }
}
