#if canImport(Combine)
public import Combine
import NetworkEngine

extension GraphQLClientContract {
    /// The data of an answer; a call for each subscriber, which is cancelled with the subscription.
    ///
    /// ```swift
    /// client.executePublisher(operation, as: UserData.self).sink { completion in … } receiveValue: { data in … }
    /// ```
    public func executePublisher<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, GraphQLError> {
        CallPublisher { () async throws(GraphQLError) -> Value in try await execute(operation) }.eraseToAnyPublisher()
    }

    /// The answer with data and errors as they are.
    public func responsePublisher<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<GraphQLResponse<Value>, GraphQLError> {
        CallPublisher { () async throws(GraphQLError) -> GraphQLResponse<Value> in try await response(to: operation) }
            .eraseToAnyPublisher()
    }

    /// Sends files along with an operation, and gives the data of the answer.
    public func executePublisher<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload],
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, GraphQLError> {
        CallPublisher { () async throws(GraphQLError) -> Value in try await execute(operation, uploads: uploads) }
            .eraseToAnyPublisher()
    }
}
#endif
