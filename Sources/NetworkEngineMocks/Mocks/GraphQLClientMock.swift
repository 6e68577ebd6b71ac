import NetworkEngine
public import NetworkEngineGraphQL

/// A GraphQL client that answers from a script and records its operations.
///
/// ```swift
/// let client = GraphQLClientMock(.response(.json(#"{"errors": [{"message": "no"}]}"#)))     // first this, …
/// client.answer = .value(UserData(name: "Ada"))                                            // … then this
/// ```
/// A value is the data of a GraphQL response. A response is processed as by a real client. Mocks share no state and can
/// be used from any thread.
public final class GraphQLClientMock: GraphQLClientContract {
    private let script: ClientScript<GraphQLOperation>

    /// Creates a mock that gives these answers in order.
    ///
    /// - Parameter clock: Measures delays.
    public init(_ answers: ClientAnswer..., clock: any Clock<Duration> = ContinuousClock()) {
        script = ClientScript(answers, clock: clock)
    }

    /// The answer to use when all others are used up.
    public var answer: ClientAnswer? {
        get { script.fallback }
        set { script.fallback = newValue }
    }

    /// Adds answers to give in order.
    public func answers(_ answers: ClientAnswer...) { script.add(answers) }

    /// All operations in order of arrival, successful or not.
    public var operations: [GraphQLOperation] { script.calls }

    /// Removes all recorded calls and all answers.
    public func reset() { script.reset() }

    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation
    ) async throws(GraphQLError) -> Value {
        let content = try await content(for: operation)
        if case .response(let answer) = content { return try await client(.response(answer)).execute(operation) }
        return try Self.value(content)
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
        let content = try await content(for: operation)
        if case .response(let answer) = content { return try await client(.response(answer)).response(to: operation) }
        return GraphQLResponse(data: try Self.value(content))
    }

    /// Returns the events of a response, or the elements of an array value.
    ///
    /// One answer serves one subscription. Only responses are delayed.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value> {
        do throws(GraphQLError) {
            let answer = try answer(to: operation)
            switch answer.content {
            case .response: return client(answer).subscribe(to: operation, as: type)
            case .value(let values as [Value]): return GraphQLSubscription(values.map { GraphQLResponse(data: $0) })
            case .value, .failure: return GraphQLSubscription([GraphQLResponse(data: try Self.value(answer.content))])
            }
        } catch {
            return GraphQLSubscription([], failure: error)
        }
    }

    private func answer(to operation: GraphQLOperation) throws(GraphQLError) -> ClientAnswer {
        if let answer = script.answer(to: operation) { return answer }
        let name = operation.operationName ?? operation.document
        throw Self.failure(.transport, "the mock client has no answer for \(name.debugDescription)")
    }

    private func content(for operation: GraphQLOperation) async throws(GraphQLError) -> ClientAnswer.Content {
        let answer = try answer(to: operation)
        do {
            return try await script.content(of: answer)
        } catch {
            throw Self.failure(.cancelled, "")
        }
    }

    private func client(_ answer: ClientAnswer) -> GraphQLClient {
        GraphQLClient(httpClient: HTTPClientMock(answer, clock: script.clock))
    }

    private static func value<Value>(_ content: ClientAnswer.Content) throws(GraphQLError) -> Value {
        switch content {
        case .failure(let error): throw GraphQLError(kind: .network, networkError: error)
        case .value(let value as Value): return value
        case .value(let value):
            if let ignored = IgnoredData() as? Value { return ignored }
            throw failure(.decoding, "the mock client has a \(type(of: value)), and \(Value.self) was asked for")
        case .response: throw failure(.transport, "the mock client cannot give an answer of the wire here")
        }
    }

    private static func failure(_ kind: NetworkError.Kind, _ reason: String) -> GraphQLError {
        let error = NetworkError(kind: kind, reason: reason)
        return GraphQLError(kind: kind == .decoding ? .decodingFailed : .network, networkError: error)
    }
}
