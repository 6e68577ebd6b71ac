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
