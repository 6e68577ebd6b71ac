/// A type that is read from a text without a decoder: lists of texts, numbers and Boolean values, nested to any depth.
///
/// Arrays create a decoder for each element, which costs many times as much as the element.
protocol JSONReadable: Decodable {
    /// Returns `nil` if the document must read the value, or create an error.
    static func read(_ text: JSONText, at index: Int) -> Self?
}

extension Bool: JSONReadable {
    static func read(_ text: JSONText, at index: Int) -> Bool? { text.bool(at: index) }
}

extension String: JSONReadable {
    static func read(_ text: JSONText, at index: Int) -> String? { text.string(at: index) }
}

extension Int: JSONReadable {
    static func read(_ text: JSONText, at index: Int) -> Int? { text.int(at: index) }
}

extension Double: JSONReadable {
    static func read(_ text: JSONText, at index: Int) -> Double? { text.double(at: index) }
}

extension Array: JSONReadable where Element: JSONReadable {
    @_specialize(where Element == Bool)
    @_specialize(where Element == String)
    @_specialize(where Element == Int)
    @_specialize(where Element == Double)
    @_specialize(where Element == [Double])
    static func read(_ text: JSONText, at index: Int) -> [Element]? {
        let array = text.tokens[index]
        guard array.kind == .array else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(Int(array.count))
        var position = index + 1
        while position < Int(array.next) {
            guard let element = Element.read(text, at: position) else { return nil }
            elements.append(element)
            position = Int(text.tokens[position].next)
        }
        return elements
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Int)
    static func read(_ text: JSONText, at index: Int) -> [String: Value]? {
        let object = text.tokens[index]
        guard object.kind == .object else { return nil }
        var values: [String: Value] = [:]
        values.reserveCapacity(Swift.min(Int(object.count), 1_024))
        var position = index + 1
        while position < Int(object.next) {
            guard let value = Value.read(text, at: position + 1) else { return nil }
            let name = text.text(of: text.tokens[position])
            // If several members have the same name, the first one is used.
            if values[name] == nil { values[name] = value }
            position = Int(text.tokens[position + 1].next)
        }
        return values
    }
}

extension JSONText {
    /// Reads a list or dictionary of types that need no decoder; `nil` for any other type or content.
    ///
    /// Not generic, because the type of an optional value would be looked up each time.
    func collection(_ type: Any.Type, at index: Int) -> (any JSONReadable)? {
        switch kind(of: index) {
        case .array:
            guard let list = type as? any JSONReadable.Type else { return nil }
            return list.read(self, at: index)
        case .object:
            // Checking each object type for the conformance would cost more than it saves.
            guard ObjectIdentifier(type) == Self.dictionary else { return nil }
            return [String: String].read(self, at: index)
        default: return nil
        }
    }

    /// Stored, because a generic type is looked up each time it is mentioned.
    private static let dictionary = ObjectIdentifier([String: String].self)
}
