import Foundation

extension JSONDocument {
    /// A value of any type, those that the decoder has strategies for among them.
    func value<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) throws -> Value {
        if type == Date.self || type == URL.self || type == Data.self || type == Decimal.self {
            return try special(type, json)
        }
        if names != .asWritten, let dictionary = type as? any JSONNamedValues.Type {
            return try cast(dictionary.init(json))
        }
        return try Value(from: json)
    }

    /// Apart from the function above, which would make the types that this one needs at every value.
    @inline(never)
    private func special<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) throws -> Value {
        if type == Date.self { return try cast(date(json)) }
        if type == URL.self { return try cast(url(json)) }
        return try fragment(type, json)
    }

    @inline(never)
    private func cast<Value>(_ value: Any) throws -> Value {
        guard let value = value as? Value else { throw unsure() }
        return value
    }

    private func date(_ json: JSONValue) throws -> Date {
        guard !json.decodeNil() else { throw mismatch(Date.self, at: json.index) { json.codingPath } }
        return switch dates {
        case .deferredToDate: try Date(from: json)
        case .secondsSince1970: Date(timeIntervalSince1970: try json.decode(Double.self))
        case .millisecondsSince1970: Date(timeIntervalSince1970: try json.decode(Double.self) / 1000)
        case .custom(let decode): try decode(json)
        default: try fragment(Date.self, json)
        }
    }

    private func url(_ json: JSONValue) throws -> URL {
        guard let url = URL(string: try json.decode(String.self)) else { throw unsure() }
        return url
    }

    /// What the platform makes of the text of one value.
    private func fragment<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) throws -> Value {
        if type == Data.self, case .custom(let decode) = platform.dataDecodingStrategy {
            guard !json.decodeNil() else { throw mismatch(type, at: json.index) { json.codingPath } }
            return try cast(decode(json))
        }
        let token = tokens[json.index]
        let quotes = token.kind == .string ? 1 : 0
        let text = bytes[(token.content.lowerBound - quotes)..<(token.content.upperBound + quotes)]
        guard let value = try? platform.decode(type, from: Data(text)) else { throw unsure() }
        return value
    }
}

/// A dictionary whose keys are the names of members as they are written, whatever the style of names.
private protocol JSONNamedValues {
    init(_ json: JSONValue) throws
}

extension Dictionary: JSONNamedValues where Key == String, Value: Decodable {
    fileprivate init(_ json: JSONValue) throws {
        let (document, index) = (json.document, json.index)
        guard document.kind(of: index) == .object else {
            throw document.mismatch([String: Any].self, at: index) { json.codingPath }
        }
        self = [:]
        try document.forEachMember(of: index) { name, place in
            let value = try document.value(Value.self, JSONValue(place, in: json, JSONMemberKey(stringValue: name)))
            if self[name] == nil { self[name] = value }
        }
    }
}
