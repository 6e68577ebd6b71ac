/// One thing that a GraphQL server says went wrong.
public struct GraphQLResponseError: Error, Hashable, Sendable {
    public var message: String
    public var locations: [Location]?
    /// Where in the answer: names of fields and positions in lists.
    public var path: [PathElement]?
    public var extensions: [String: GraphQLVariable]?

    /// A place in the document.
    public struct Location: Hashable, Sendable, Codable {
        public var line: Int
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    public enum PathElement: Hashable, Sendable {
        case field(String)
        case index(Int)
    }

    public init(
        message: String,
        locations: [Location]? = nil,
        path: [PathElement]? = nil,
        extensions: [String: GraphQLVariable]? = nil
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }

    /// The code that most servers put into the extensions: `UNAUTHENTICATED`.
    public var code: String? {
        if case .string(let code) = extensions?["code"] { code } else { nil }
    }
}

extension GraphQLResponseError: Codable {
    private enum Key: String, CodingKey { case message, locations, path, extensions }

    /// What is not as the specification has it counts as absent: an error is never lost for its decoration.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        message = (try? container.decode(String.self, forKey: .message)) ?? ""
        locations = try? container.decode([Location].self, forKey: .locations)
        path = try? container.decode([PathElement].self, forKey: .path)
        extensions = try? container.decode([String: GraphQLVariable].self, forKey: .extensions)
    }
}

extension GraphQLResponseError.PathElement: Codable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .field(value) }
    public init(integerLiteral value: Int) { self = .index(value) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .field(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .field(let name): try container.encode(name)
        case .index(let index): try container.encode(index)
        }
    }
}
