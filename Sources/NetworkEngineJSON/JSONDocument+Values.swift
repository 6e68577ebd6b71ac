import Foundation

extension JSONDocument {
    /// A value of any type, including the types that the decoder has strategies for.
    func value<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) throws -> Value {
        if type == Date.self || type == URL.self || type == Data.self || type == Decimal.self {
            return try special(type, json)
        }
        if let collection = text.collection(type, at: json.index) { return try cast(collection) }
        if keyStyle != .asWritten, let dictionary = type as? any StringKeyedDictionary.Type {
            return try cast(dictionary.init(json))
        }
        return try Value(from: json)
    }

    /// A separate function, because otherwise its type metadata would be created for every value.
    @inline(never)
    private func special<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) throws -> Value {
        if json.decodeNil() { throw mismatch(type, at: json.index) { json.codingPath } }
        if type == Date.self { return try cast(date(json)) }
        if type == URL.self { return try cast(url(json)) }
        if type == Data.self { return try cast(data(json)) }
        return try cast(decimal(at: json.index) { json.codingPath })
    }

    @inline(never)
    private func cast<Value>(_ value: Any) throws -> Value {
        guard let value = value as? Value else { throw fallBack() }
        return value
    }

    private func date(_ json: JSONValue) throws -> Date {
        if case .deferredToDate = settings.dates { return try Date(from: json) }
        if case .secondsSince1970 = settings.dates { return Date(timeIntervalSince1970: try json.decode(Double.self)) }
        if case .millisecondsSince1970 = settings.dates {
            return Date(timeIntervalSince1970: try json.decode(Double.self) / 1000)
        }
        if case .custom(let decode) = settings.dates { return try decode(json) }
        guard case .iso8601 = settings.dates else {
            return try decodeWithFoundation(Date.self, at: json.index, orThrow: fallBack())
        }
        let text = try json.decode(String.self)
        guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
            // Foundation reports the path of one of the values around the date.
            errorNeedsFoundation = true
            throw DecodingError.corrupted("Expected date string to be ISO8601-formatted.", at: json.codingPath)
        }
        return date
    }

    private func url(_ json: JSONValue) throws -> URL {
        guard let url = URL(string: try json.decode(String.self)) else {
            throw DecodingError.corrupted("Invalid URL string.", at: json.codingPath)
        }
        return url
    }

    private func data(_ json: JSONValue) throws -> Data {
        switch settings.data {
        case .deferredToData: return try Data(from: json)
        case .base64:
            guard let data = Data(base64Encoded: try json.decode(String.self)) else {
                throw DecodingError.corrupted("Encountered Data is not valid Base64.", at: json.codingPath)
            }
            return data
        case .custom(let decode): return try decode(json)
        @unknown default: return try decodeWithFoundation(Data.self, at: json.index, orThrow: fallBack())
        }
    }
}

/// A dictionary with member names as keys, unchanged by the key strategy.
private protocol StringKeyedDictionary {
    init(_ json: JSONValue) throws
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    fileprivate init(_ json: JSONValue) throws {
        let (document, index) = (json.document, json.index)
        guard document.kind(of: index) == .object else {
            throw document.mismatch([String: Any].self, at: index) { json.codingPath }
        }
        self = [:]
        try document.text.forEachMember(of: index) { name, index in
            let value = try document.value(Value.self, JSONValue(index, in: json, AnyCodingKey(name)))
            if self[name] == nil { self[name] = value }
        }
    }
}
