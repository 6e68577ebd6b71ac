/// What a GraphQL server answered: data, errors, or some of both.
public struct GraphQLResponse<Value> {
    public var data: Value?
    public var errors: [GraphQLResponseError]?
    public var extensions: [String: GraphQLVariable]?

    public init(
        data: Value? = nil,
        errors: [GraphQLResponseError]? = nil,
        extensions: [String: GraphQLVariable]? = nil
    ) {
        self.data = data
        self.errors = errors
        self.extensions = extensions
    }
}

extension GraphQLResponse: Decodable where Value: Decodable {}
extension GraphQLResponse: Sendable where Value: Sendable {}
extension GraphQLResponse: Equatable where Value: Equatable {}

/// What can be known of an answer whatever its data is.
struct ResponseOutline: Decodable {
    let errors: [GraphQLResponseError]
    let hasData: Bool
    /// Whether this is an answer of a GraphQL server at all.
    let isGraphQL: Bool

    private enum Key: String, CodingKey { case data, errors }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let found = try? container.decodeIfPresent([GraphQLResponseError].self, forKey: .errors)
        errors = found ?? []
        hasData = try container.contains(.data) && !container.decodeNil(forKey: .data)
        isGraphQL = container.contains(.data) || found != nil
    }
}
