#if canImport(Combine)
public import Combine
public import NetworkEngine
import NetworkEngineCombine

extension NetworkCalling where Request == GraphQLOperation {
    /// Publishes the data of a response. Each subscription starts one call and cancels it when canceled.
    ///
    /// ```swift
    /// client.executePublisher(operation, as: UserData.self).sink { completion in … } receiveValue: { data in … }
    /// ```
    public func executePublisher<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        requestPublisher(operation, decoding: .graphQLData)
    }

    /// Publishes a response with its data and errors.
    public func responsePublisher<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<GraphQLResponse<Value>, Failure> {
        requestPublisher(operation, decoding: .graphQLResponse())
    }
}
#endif
