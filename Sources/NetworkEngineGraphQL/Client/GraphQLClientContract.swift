/// What a data source asks of a GraphQL client, so that a mock can take its place.
public protocol GraphQLClientContract: Sendable {
    /// The data of an answer; throws when the answer has errors, which keep what data there was.
    func execute<Value: Decodable & Sendable>(_ operation: GraphQLOperation) async throws(GraphQLError) -> Value

    /// The answer with data and errors as they are; throws only where there is none.
    func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(GraphQLError) -> GraphQLResponse<Value>
}
