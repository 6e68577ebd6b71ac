/// A key that no type declares: the place of an element, or what a class keeps for its superclass.
enum JSONPlainKey: CodingKey {
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

/// The name of a member of a dictionary.
struct JSONMemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

// As the platform's keys read in a path.
extension JSONPlainKey {
    var description: String {
        "_CodingKey(stringValue: \(stringValue.debugDescription), intValue: \(intValue.map { "\($0)" } ?? "nil"))"
    }
    var debugDescription: String { description }
}

extension JSONMemberKey {
    var description: String { "_CodingKey(stringValue: \(stringValue.debugDescription), intValue: nil)" }
    var debugDescription: String { description }
}
