import NetworkEngine

/// What a data source asks of a GraphQL client, so that a mock can take its place.
public protocol GraphQLClientContract: Sendable {
    /// The data of an answer; throws when the answer has errors, which keep what data there was.
    func execute<Value: Decodable & Sendable>(_ operation: GraphQLOperation) async throws(GraphQLError) -> Value

    /// The answer with data and errors as they are; throws only where there is none.
    func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(GraphQLError) -> GraphQLResponse<Value>

    /// The data of the answer to an operation with files.
    func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value

    /// The answers to a subscription, for as long as somebody listens.
    func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value>
}

extension GraphQLClientContract {
    /// Throws `.unsupported`, for a client that cannot send files.
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value {
        let error = NetworkError(kind: .unsupported, reason: "\(Self.self) sends no files")
        throw GraphQLError(kind: .network, networkError: error)
    }

    /// A subscription that fails with `.unsupported`, of a client that has none.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value> {
        let error = NetworkError(kind: .unsupported, reason: "\(Self.self) has no subscriptions")
        return GraphQLSubscription([], failure: GraphQLError(kind: .network, networkError: error))
    }

    /// The answers to a subscription whose type is known from its use.
    public func subscribe<Value: Decodable & Sendable>(to operation: GraphQLOperation) -> GraphQLSubscription<Value> {
        subscribe(to: operation, as: Value.self)
    }
}
