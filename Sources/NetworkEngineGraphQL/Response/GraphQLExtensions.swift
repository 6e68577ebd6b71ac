import Foundation
import NetworkEngine
import NetworkEngineJSON

/// The extensions of a response or an error, decoded on access because most callers do not read them.
struct GraphQLExtensions: Sendable {
    private enum Content {
        case values([String: GraphQLVariable]?)
        case json(Data)
    }

    private let content: Content

    init(_ values: [String: GraphQLVariable]?) { content = .values(values) }

    /// The values; `nil` if the extensions are absent or not an object.
    var values: [String: GraphQLVariable]? {
        switch content {
        case .values(let values): values
        case .json(let text): try? JSONDecoder().decodeInternal([String: GraphQLVariable].self, from: text)
        }
    }
}

extension GraphQLExtensions: Decodable {
    /// Accepts an empty array as an empty object, because PHP servers write empty objects this way.
    init(from decoder: any Decoder) throws {
        if let peek = JSONPeek(decoder) {
            switch peek.kind {
            case .object: content = .json(peek.text)
            case .array where peek.isEmpty: content = .values([:])
            default: content = .values(nil)
            }
        } else if (try? decoder.unkeyedContainer())?.isAtEnd == true {
            content = .values([:])
        } else {
            content = .values(try? decoder.singleValueContainer().decode([String: GraphQLVariable].self))
        }
    }
}

extension GraphQLExtensions: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.values == right.values }
    func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension KeyedDecodingContainer {
    /// Decodes the extensions. Extensions of an unexpected type are ignored.
    func decodeIfPresent(forKey key: Key) throws -> GraphQLExtensions {
        try decodeIfPresent(GraphQLExtensions.self, forKey: key) ?? GraphQLExtensions(nil)
    }
}
