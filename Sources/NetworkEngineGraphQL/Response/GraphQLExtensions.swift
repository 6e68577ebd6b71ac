import FastJSON
import Foundation
import NetworkEngine

/// The extensions of an answer or an error, decoded when they are asked for.
///
/// They are the server's to fill, and most callers never look at them.
struct GraphQLExtensions: Sendable {
    private enum Content {
        case values([String: GraphQLVariable]?)
        case json(Data)
    }

    private let content: Content

    init(_ values: [String: GraphQLVariable]?) { content = .values(values) }

    /// The values; `nil` where there are none, or no object.
    var values: [String: GraphQLVariable]? {
        switch content {
        case .values(let values): values
        case .json(let text): try? JSONDecoder().decodeInternal([String: GraphQLVariable].self, from: text)
        }
    }
}

extension GraphQLExtensions: Decodable {
    /// An empty array is an object without members: PHP does not tell one from the other.
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
