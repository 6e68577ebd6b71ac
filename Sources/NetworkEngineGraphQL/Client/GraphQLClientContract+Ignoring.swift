public import NetworkEngine

extension GraphQLClientContract {
    /// Runs an operation and ignores its data; an answer with errors is thrown.
    @discardableResult
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> UndecodedAnswer {
        let _: IgnoredData = try await execute(operation)
        return UndecodedAnswer()
    }

    /// Runs an operation and ignores its data, where the result has to be `Void`.
    @_disfavoredOverload
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) {
        let _: IgnoredData = try await execute(operation)
    }

    /// Sends files along with an operation and ignores its data; an answer with errors is thrown.
    @discardableResult
    public func execute(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> UndecodedAnswer {
        let _: IgnoredData = try await execute(operation, uploads: uploads)
        return UndecodedAnswer()
    }

    /// Sends files along with an operation and ignores its data, where the result has to be `Void`.
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
