/// A key with any name.
package struct AnyCodingKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { nil }
}

/// A key in the path to a value: the index of an element, or the key that a class uses for its superclass.
enum PathKey: CodingKey {
    case element(Int)
    case parent

    var stringValue: String {
        switch self {
        case .element(let index): "Index \(index)"
        case .parent: "super"
        }
    }

    var intValue: Int? {
        switch self {
        case .element(let index): index
        case .parent: nil
        }
    }

    init?(stringValue: String) { return nil }
    init(intValue: Int) { self = .element(intValue) }
}

// Errors print a path exactly like those from Foundation's decoder.
extension AnyCodingKey {
    package var description: String { "_CodingKey(stringValue: \(stringValue.debugDescription), intValue: nil)" }
    package var debugDescription: String { description }
}

extension PathKey {
    package var description: String {
        "_CodingKey(stringValue: \(stringValue.debugDescription), intValue: \(intValue.map { "\($0)" } ?? "nil"))"
    }
    package var debugDescription: String { description }
}
