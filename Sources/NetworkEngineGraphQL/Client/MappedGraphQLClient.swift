public import NetworkEngine

/// Maps the errors of a GraphQL client to errors of the app.
///
/// ```swift
/// struct ShopErrors: NetworkErrorMapper, GraphQLErrorMapper {
///     func map(_ error: NetworkError) -> ShopError { .other(APIError(error)) }
///     func map(_ error: GraphQLError) -> ShopError {
///         error.errors.contains { $0.code == "OUT_OF_STOCK" } ? .outOfStock : .other(APIError(error))
///     }
/// }
/// let shop = GraphQLClient(httpClient: client).mappingErrors(with: ShopErrors())
/// ```
/// One type can also be the `NetworkErrorMapper` of the app's other clients.
public protocol GraphQLErrorMapper<Failure>: Sendable {
    /// The app's error.
    associatedtype Failure: Error

    /// Returns the app's error for a failed operation.
    func map(_ error: GraphQLError) -> Failure
}

extension APIErrorMapper: GraphQLErrorMapper {
    public func map(_ error: GraphQLError) -> APIError { APIError(error) }
}

/// A GraphQL client, or its mock, that throws the app's errors.
///
/// ```swift
/// let client = GraphQLClient(httpClient: HTTPClient(baseURL: api)).mappingErrors(with: APIErrorMapper())
/// let user: UserData = try await client.execute(operation)               // throws APIError
/// ```
public struct MappedGraphQLClient<Mapper: GraphQLErrorMapper>: Sendable {
    /// The error that every operation throws.
    public typealias Failure = Mapper.Failure

    /// The underlying client.
    public let client: any GraphQLClientContract
    /// Maps the errors of the underlying client.
    public let mapper: Mapper

    /// Returns the data of the response. Throws if the response has errors.
    @concurrent
    public func execute<Value: Decodable & Sendable>(_ operation: GraphQLOperation) async throws(Failure) -> Value {
        try await mapping { () throws(GraphQLError) in try await client.execute(operation) }
    }

    /// Executes an operation and ignores its data. Throws if the response has errors.
    @concurrent
    @discardableResult
    public func execute(_ operation: GraphQLOperation) async throws(Failure) -> UndecodedResponse {
        try await mapping { () throws(GraphQLError) -> Void in try await client.execute(operation) }
        return UndecodedResponse()
    }

    /// Executes an operation and ignores its data, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func execute(_ operation: GraphQLOperation) async throws(Failure) {
        try await mapping { () throws(GraphQLError) -> Void in try await client.execute(operation) }
    }

    /// Sends files together with an operation and returns the data of the response.
    @concurrent
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(Failure) -> Value {
        try await mapping { () throws(GraphQLError) in try await client.execute(operation, uploads: uploads) }
    }

    /// Sends files together with an operation and ignores its data. Throws if the response has errors.
    @concurrent
    @discardableResult
    public func execute(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(Failure) -> UndecodedResponse {
        try await mapping { () throws(GraphQLError) -> Void in try await client.execute(operation, uploads: uploads) }
        return UndecodedResponse()
    }

    /// Sends files together with an operation and ignores its data, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func execute(_ operation: GraphQLOperation, uploads: [GraphQLUpload]) async throws(Failure) {
        try await mapping { () throws(GraphQLError) -> Void in try await client.execute(operation, uploads: uploads) }
    }

    /// Returns the response with its data and errors. Throws only if the response is missing or invalid.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(Failure) -> GraphQLResponse<Value> {
        try await mapping { () throws(GraphQLError) in try await client.response(to: operation) }
    }

    /// Returns the responses to a subscription. The first request is sent when the first response is requested.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type = Value.self
    ) -> MappedSequence<GraphQLSubscription<Value>, Failure> {
        MappedSequence(client.subscribe(to: operation, as: type)) { [mapper] error in
            // A subscription throws this type only.
            mapper.map(error as? GraphQLError ?? GraphQLError(kind: .network))
        }
    }

    private func mapping<Value>(_ operation: () async throws(GraphQLError) -> Value) async throws(Failure) -> Value {
        do throws(GraphQLError) {
            return try await operation()
        } catch {
            throw mapper.map(error)
        }
    }
}

extension GraphQLClientContract {
    /// Returns a client that throws the errors of a mapper.
    public func mappingErrors<Mapper: GraphQLErrorMapper>(with mapper: Mapper) -> MappedGraphQLClient<Mapper> {
        MappedGraphQLClient(client: self, mapper: mapper)
    }
}
