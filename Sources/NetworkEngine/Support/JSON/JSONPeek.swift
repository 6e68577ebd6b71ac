package import Foundation

/// What is known of a JSON value before it is decoded, where the fast decoder reads it.
package struct JSONPeek {
    package enum Kind {
        case null, bool, number, string, array, object
    }

    private let value: JSONValue

    /// Returns `nil` for any other decoder.
    package init?(_ decoder: any Decoder) {
        guard let value = decoder as? JSONValue else { return nil }
        self.value = value
    }

    private var token: JSONToken { value.document.tokens[value.index] }

    package var kind: Kind {
        switch token.kind {
        case .null: .null
        case .no, .yes: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The number of arrays and objects around the value.
    package var depth: Int { value.depth }

    /// Whether the value is an array or object without elements.
    package var isEmpty: Bool { token.count == 0 }

    /// The text of an array or object.
    package var text: Data { Data(value.document.bytes[token.content]) }
}
