import FastJSON
import NetworkEngine

/// One thing that a GraphQL server says went wrong.
public struct GraphQLResponseError: Error, Hashable, Sendable {
    public var message: String
    public var locations: [Location]?
    /// Where in the answer: names of fields and positions in lists.
    public var path: [PathElement]?
    private var lazyExtensions: GraphQLExtensions

    /// Decoded at each access.
    public var extensions: [String: GraphQLVariable]? {
        get { lazyExtensions.values }
        set { lazyExtensions = GraphQLExtensions(newValue) }
    }

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
        lazyExtensions = GraphQLExtensions(extensions)
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
        message = (try? container.decodeIfPresent(String.self, forKey: .message)) ?? ""
        locations = try? container.decodeIfPresent([Location].self, forKey: .locations)
        path = try? container.decodeIfPresent([PathElement].self, forKey: .path)
        lazyExtensions = try container.decodeIfPresent(forKey: .extensions)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(locations, forKey: .locations)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(extensions, forKey: .extensions)
    }
}

extension GraphQLResponseError.PathElement: Codable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .field(value) }
    public init(integerLiteral value: Int) { self = .index(value) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if JSONPeek(decoder)?.kind != .string, let index = try? container.decode(Int.self) {
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
