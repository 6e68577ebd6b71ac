/// A GraphQL server's response: data, errors or both.
public struct GraphQLResponse<Value> {
    /// The data; `nil` if the server sent `null` or none.
    public var data: Value?
    /// The errors that the server reported; `nil` if the response has no list of errors.
    public var errors: [GraphQLResponseError]?
    private var lazyExtensions: GraphQLExtensions

    /// The extensions. Each access decodes them.
    public var extensions: [String: GraphQLVariable]? {
        get { lazyExtensions.values }
        set { lazyExtensions = GraphQLExtensions(newValue) }
    }

    /// Creates a response, for example for a mock.
    public init(
        data: Value? = nil,
        errors: [GraphQLResponseError]? = nil,
        extensions: [String: GraphQLVariable]? = nil
    ) {
        self.init(data: data, errors: errors, lazyExtensions: GraphQLExtensions(extensions))
    }

    init(data: Value?, errors: [GraphQLResponseError]?, lazyExtensions: GraphQLExtensions) {
        self.data = data
        self.errors = errors
        self.lazyExtensions = lazyExtensions
    }
}

extension GraphQLResponse: Decodable where Value: Decodable {
    private enum Key: String, CodingKey { case data, errors, extensions }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        data = try container.decodeIfPresent(Value.self, forKey: .data)
        errors = try container.decodeIfPresent([GraphQLResponseError].self, forKey: .errors)
        lazyExtensions = try container.decodeIfPresent(forKey: .extensions)
    }
}

extension GraphQLResponse: Sendable where Value: Sendable {}
extension GraphQLResponse: Equatable where Value: Equatable {}
