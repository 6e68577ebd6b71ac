import NetworkEngine
public import NetworkEngineGraphQL

/// A GraphQL client that answers from a script and remembers what it was asked.
///
/// ```swift
/// let client = GraphQLClientMock(.response(.json(#"{"errors": [{"message": "no"}]}"#)))     // first this, …
/// client.answer = .value(UserData(name: "Ada"))                                            // … then this
/// ```
/// A value is the data of an answer; a response is what a real client makes of an answer on the wire. Every mock is a world
/// of its own and may be used from anywhere.
public final class GraphQLClientMock: GraphQLClientContract {
    private let script: Locked<ClientScript<GraphQLOperation>>
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

    /// Every operation so far in the order of arrival, whether it succeeded or not.
    public var operations: [GraphQLOperation] { script.withLock { $0.calls } }

    /// Forgets what was asked and what was to be answered.
    public func reset() {
        script.withLock { $0 = ClientScript() }
    }

    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation
    ) async throws(GraphQLError) -> Value {
        let content = try await content(for: operation)
        if case .response(let answer) = content { return try await client(.response(answer)).execute(operation) }
        return try Self.value(content)
    }

    /// Answers as without files, which are forgotten.
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

    /// What a server says on the wire of an answer; or the elements of a value that is an array, and then the end.
    ///
    /// An answer serves one subscription, and a delay is for those of the wire.
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
        if let answer = script.withLock({ $0.answer(to: operation) }) { return answer }
        let name = operation.operationName ?? operation.document
        throw Self.failure(.transport, "the mock client has no answer for \(name.debugDescription)")
    }

    private func content(for operation: GraphQLOperation) async throws(GraphQLError) -> ClientAnswer.Content {
        let answer = try answer(to: operation)
        do {
            if answer.delay > .zero { try await Timebase.reading(clock).sleep(for: answer.delay) }
            try Task.checkCancellation()
        } catch {
            throw Self.failure(.cancelled, "")
        }
        return answer.content
    }

    /// A real client, on a wire that gives this answer.
    private func client(_ answer: ClientAnswer) -> GraphQLClient {
        GraphQLClient(httpClient: HTTPClientMock(answer, clock: clock))
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
