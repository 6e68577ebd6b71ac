import NetworkEngine
import NetworkEngineJSON

/// An error that a GraphQL server reported.
public struct GraphQLResponseError: Error, Hashable, Sendable {
    /// The message for developers; empty if the server sent none.
    public var message: String
    /// The positions in the document that the error refers to.
    public var locations: [Location]?
    /// The path of the field in the response: field names and list indices.
    public var path: [PathElement]?
    private var lazyExtensions: GraphQLExtensions

    /// The extensions. Each access decodes them.
    public var extensions: [String: GraphQLVariable]? {
        get { lazyExtensions.values }
        set { lazyExtensions = GraphQLExtensions(newValue) }
    }

    /// A position in the document.
    public struct Location: Hashable, Sendable, Codable {
        /// The line, starting at 1.
        public var line: Int
        /// The column, starting at 1.
        public var column: Int

        /// Creates a position.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// A path component.
    public enum PathElement: Hashable, Sendable {
        /// The name of a field, or its alias.
        case field(String)
        /// An index of a list, starting at 0.
        case index(Int)
    }

    /// Creates an error, for example for a mock.
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

    /// The code that most servers send in the extensions, for example `UNAUTHENTICATED`.
    public var code: String? {
        if case .string(let code) = extensions?["code"] { code } else { nil }
    }
}

extension GraphQLResponseError: Codable {
    private enum Key: String, CodingKey { case message, locations, path, extensions }

    /// Ignores members that do not follow the specification, so that the error itself is never lost.
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
