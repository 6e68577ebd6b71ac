#if canImport(Combine)
public import Combine
import NetworkEngine

extension GraphQLClientContract {
    /// Publishes the data of a response. Each subscription makes one call and cancels it when canceled.
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

    /// Publishes a response with its data and errors.
    public func responsePublisher<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<GraphQLResponse<Value>, GraphQLError> {
        CallPublisher { () async throws(GraphQLError) -> GraphQLResponse<Value> in try await response(to: operation) }
            .eraseToAnyPublisher()
    }

    /// Sends files together with an operation and publishes the data of the response.
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
