public import NetworkEngine

/// The interface of a GraphQL client that data sources depend on, so that a mock can replace the client.
public protocol GraphQLClientContract: Sendable {
    /// Returns the data of the response. Throws if the response has errors; the error keeps the partial data.
    func execute<Value: Decodable & Sendable>(_ operation: GraphQLOperation) async throws(GraphQLError) -> Value

    /// Returns the response with its data and errors. Throws only if there is no valid response.
    func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(GraphQLError) -> GraphQLResponse<Value>

    /// Sends files together with an operation and returns the data of the response.
    func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value

    /// Returns the responses to a subscription.
    func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value>
}

extension GraphQLClientContract {
    /// Throws `.unsupported`, for a client without support for uploads.
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value {
        let error = NetworkError(kind: .unsupported, reason: "\(Self.self) does not support uploads")
        throw GraphQLError(kind: .network, networkError: error)
    }

    /// Returns a subscription that fails with `.unsupported`, for a client without support for subscriptions.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value> {
        let error = NetworkError(kind: .unsupported, reason: "\(Self.self) does not support subscriptions")
        return GraphQLSubscription([], failure: GraphQLError(kind: .network, networkError: error))
    }

    /// Returns the responses to a subscription. The context determines the type.
    public func subscribe<Value: Decodable & Sendable>(to operation: GraphQLOperation) -> GraphQLSubscription<Value> {
        subscribe(to: operation, as: Value.self)
    }
}

extension GraphQLClientContract {
    /// Executes an operation and ignores its data. Throws if the response has errors.
    @discardableResult
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> UndecodedResponse {
        let _: IgnoredData = try await execute(operation)
        return UndecodedResponse()
    }

    /// Executes an operation and ignores its data, where the result type is `Void`.
    @_disfavoredOverload
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) {
        let _: IgnoredData = try await execute(operation)
    }

    /// Sends files together with an operation and ignores its data. Throws if the response has errors.
    @discardableResult
    public func execute(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> UndecodedResponse {
        let _: IgnoredData = try await execute(operation, uploads: uploads)
        return UndecodedResponse()
    }

    /// Sends files together with an operation and ignores its data, where the result type is `Void`.
    @_disfavoredOverload
    public func execute(_ operation: GraphQLOperation, uploads: [GraphQLUpload]) async throws(GraphQLError) {
        let _: IgnoredData = try await execute(operation, uploads: uploads)
    }
}

/// A value that every response decodes to, for data that the caller ignores.
package struct IgnoredData: Decodable, Sendable {
    package init() {}

    package init(from decoder: any Decoder) {}
}
