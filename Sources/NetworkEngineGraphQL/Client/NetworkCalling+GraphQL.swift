public import NetworkEngine

/// The interface of a GraphQL client for data sources to depend on, so that a mock can replace the client.
public typealias GraphQLClientContract = NetworkCalling<GraphQLOperation, GraphQLError>

extension NetworkCalling where Request == GraphQLOperation {
    /// Returns the response data. Throws if the response has errors; the error keeps the partial data.
    public func execute<Value: Decodable & Sendable>(_ operation: GraphQLOperation) async throws(Failure) -> Value {
        try await run(operation, .graphQLData, settings: CallSettings())
    }

    /// Executes an operation and ignores its data. Throws if the response has errors.
    public func execute(_ operation: GraphQLOperation) async throws(Failure) {
        let _: IgnoredData = try await execute(operation)
    }

    /// Sends files together with an operation and returns the response data.
    ///
    /// The request is always a POST with the document's text. Files and streams are read while the request is sent.
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(Failure) -> Value {
        try await execute(operation.with(uploads))
    }

    /// Sends files together with an operation and ignores its data. Throws if the response has errors.
    public func execute(_ operation: GraphQLOperation, uploads: [GraphQLUpload]) async throws(Failure) {
        let _: IgnoredData = try await execute(operation.with(uploads))
    }

    /// Returns the response with its data and errors. Throws only if there is no valid response.
    public func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(Failure) -> GraphQLResponse<Value> {
        try await run(operation, .graphQLResponse(), settings: CallSettings())
    }

    /// Returns the responses to a subscription, with the calls' error type.
    ///
    /// A mutation fails without being sent, because a subscription is sent again after a lost connection. An operation
    /// with files also fails.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> MappedSequence<GraphQLSubscription<Value>, Failure> {
        let subscription = GraphQLSubscription<Value> { () async throws(GraphQLError) in
            do throws(NetworkError) {
                return try await runUnmapped(operation, .subscription(), settings: CallSettings())
            } catch {
                throw GraphQLError(error)
            }
        }
        return MappedSequence(subscription) { error in
            let error = error as? GraphQLError ?? GraphQLError(kind: .network)
            if let foreign = error.networkError, isForeign(foreign) { return mapped(foreign) }
            return mapped(error.carried)
        }
    }
}

extension NetworkCalling where Request == GraphQLOperation, Failure == GraphQLError {
    /// Returns the responses to a subscription. The first request is sent when the first response is requested.
    ///
    /// Over server-sent events, the request is always a POST with the document's text, regardless of the options. A
    /// mutation fails without being sent, because a subscription is sent again after a lost connection. An operation
    /// with files also fails.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> GraphQLSubscription<Value> {
        GraphQLSubscription { () async throws(GraphQLError) in
            try await run(operation, .subscription(), settings: CallSettings())
        }
    }

    /// Returns the same client with a mapper's errors.
    public func mapErrors<Mapper: GraphQLErrorMapper>(
        with mapper: Mapper
    ) -> MappedCalls<GraphQLOperation, GraphQLError, Mapper.Failure> {
        mapErrors { mapper.map($0) }
    }
}

/// Maps a GraphQL client's errors to the app's errors.
///
/// ```swift
/// let users = client.mapErrors(with: APIErrorMapper())
/// let user: UserData = try await users.execute(operation)        // throws APIError
/// ```
public protocol GraphQLErrorMapper<Failure>: Sendable {
    /// The app's error.
    associatedtype Failure: Error

    /// Returns the app's error for a failed operation.
    func map(_ error: GraphQLError) -> Failure
}

extension APIErrorMapper: GraphQLErrorMapper {
    public func map(_ error: GraphQLError) -> APIError { APIError(error) }
}

extension GraphQLOperation {
    fileprivate func with(_ uploads: [GraphQLUpload]) -> GraphQLOperation {
        var operation = self
        operation.uploads = uploads
        return operation
    }
}

/// A value that can be decoded from any response, for data that the caller ignores.
package struct IgnoredData: Decodable, Sendable {
    package init() {}

    package init(from decoder: any Decoder) {}
}
