/// What can be known of an answer whatever its data is.
struct ResponseOutline: Decodable, Sendable {
    /// The errors; `nil` where there is no list of them.
    let errors: [GraphQLResponseError]?
    let extensions: GraphQLExtensions
    let hasData: Bool
    /// Whether there is a `data` member, also when it is null.
    let containsData: Bool
    /// Whether the data is an empty array, which may stand for an empty object: PHP does not tell one from the other.
    let dataIsEmptyArray: Bool
    /// Whether this is an answer of a GraphQL server at all.
    let isGraphQL: Bool

    private enum Key: String, CodingKey { case data, errors, extensions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        errors = try? container.decodeIfPresent([GraphQLResponseError].self, forKey: .errors)
        extensions = try container.decodeIfPresent(forKey: .extensions)
        containsData = container.contains(.data)
        hasData = try containsData && !container.decodeNil(forKey: .data)
        let list = hasData ? try? container.nestedUnkeyedContainer(forKey: .data) : nil
        dataIsEmptyArray = list?.isAtEnd == true
        isGraphQL = containsData || errors != nil
    }
}
