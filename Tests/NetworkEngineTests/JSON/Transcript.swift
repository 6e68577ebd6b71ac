import Foundation

/// A decoder's responses to all requests: values, errors, paths.
struct Transcript: Decodable, Equatable {
    private(set) var lines: [String] = []

    init(from decoder: any Decoder) throws {
        add("path", decoder.codingPath.map(Self.text).joined(separator: "/"))
        add("info", decoder.userInfo.keys.map(\.rawValue).sorted().joined(separator: ","))
        try single(decoder)
        do {
            try keyed(decoder.container(keyedBy: Name.self))
        } catch {
            add("keyed", Self.text(error))
        }
        do {
            var unkeyed = try decoder.unkeyedContainer()
            while !unkeyed.isAtEnd { element(&unkeyed) }
            end(&unkeyed)
        } catch {
            add("unkeyed", Self.text(error))
        }
    }

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { stringValue.count }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private mutating func add(_ name: String, _ text: String) { lines.append("\(name): \(text)") }

    private mutating func ask<Value>(_ name: String, _ read: () throws -> Value) {
        do {
            let value = try read()
            add(name, (value as? Transcript)?.lines.joined(separator: "\n  ") ?? "\(value)")
        } catch {
            add(name, Self.text(error))
        }
    }

    private mutating func single(_ decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        ask("nil") { value.decodeNil() }
        ask("Bool") { try value.decode(Bool.self) }
        ask("String") { try value.decode(String.self) }
        ask("Int") { try value.decode(Int.self) }
        ask("Int8") { try value.decode(Int8.self) }
        ask("UInt64") { try value.decode(UInt64.self) }
        ask("Double") { try value.decode(Double.self) }
        ask("Float") { try value.decode(Float.self) }
        ask("[Int]") { try value.decode([Int].self) }
        ask("Int?") { try value.decode(Int?.self) }
        ask("single path") { value.codingPath.map(Self.text) }
    }

    private mutating func keyed(_ object: KeyedDecodingContainer<Name>) throws {
        // The order of strings isn't always consistent ("e\u{301}" and "éX"), but the order of their bytes is.
        let names = object.allKeys.map(\.stringValue).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for key in (names + ["missing", "super"]).map(Name.init(stringValue:)) {
            ask("contains \(key.stringValue)") { object.contains(key) }
            ask("nil") { try object.decodeNil(forKey: key) }
            ask("Bool") { try object.decode(Bool.self, forKey: key) }
            ask("String") { try object.decode(String.self, forKey: key) }
            ask("Int") { try object.decode(Int.self, forKey: key) }
            ask("UInt16") { try object.decode(UInt16.self, forKey: key) }
            ask("Double") { try object.decode(Double.self, forKey: key) }
            ask("Float") { try object.decode(Float.self, forKey: key) }
            ask("Bool?") { try object.decodeIfPresent(Bool.self, forKey: key) }
            ask("String?") { try object.decodeIfPresent(String.self, forKey: key) }
            ask("Int?") { try object.decodeIfPresent(Int.self, forKey: key) }
            ask("Int32?") { try object.decodeIfPresent(Int32.self, forKey: key) }
            ask("Double?") { try object.decodeIfPresent(Double.self, forKey: key) }
            ask("Float?") { try object.decodeIfPresent(Float.self, forKey: key) }
            ask("value") { try object.decode(Transcript.self, forKey: key) }
            // A dictionary's order determines which member fails.
            let numbers = try? object.decodeIfPresent([String: Int].self, forKey: key)
            add("[String: Int]?", "\(numbers.map { $0.sorted { $0.key < $1.key } } ?? [])")
            ask("nested") { try object.nestedContainer(keyedBy: Name.self, forKey: key).codingPath.map(Self.text) }
            ask("list") { try object.nestedUnkeyedContainer(forKey: key).count }
            ask("super") { try object.superDecoder(forKey: key).singleValueContainer().decodeNil() }
        }
        ask("super") { try object.superDecoder().codingPath.map(Self.text) }
    }

    private mutating func element(_ list: inout any UnkeyedDecodingContainer) {
        ask("at \(list.currentIndex) of \(list.count ?? -1)") { list.codingPath.map(Self.text) }
        var copy = list
        ask("Bool") { try copy.decode(Bool.self) }
        ask("String") { try copy.decode(String.self) }
        ask("Int") { try copy.decode(Int.self) }
        ask("at") { copy.currentIndex }
        copy = list
        ask("Int64") { try copy.decode(Int64.self) }
        ask("Double") { try copy.decode(Double.self) }
        copy = list
        ask("Float") { try copy.decode(Float.self) }
        ask("Bool?") { try copy.decodeIfPresent(Bool.self) }
        ask("String?") { try copy.decodeIfPresent(String.self) }
        ask("Int?") { try copy.decodeIfPresent(Int.self) }
        copy = list
        ask("UInt8?") { try copy.decodeIfPresent(UInt8.self) }
        ask("Double?") { try copy.decodeIfPresent(Double.self) }
        ask("[Int]?") { try copy.decodeIfPresent([Int].self) }
        ask("at") { copy.currentIndex }
        copy = list
        ask("nested") { try copy.nestedContainer(keyedBy: Name.self).codingPath.map(Self.text) }
        ask("list") { try copy.nestedUnkeyedContainer().codingPath.map(Self.text) }
        ask("super") { try copy.superDecoder().codingPath.map(Self.text) }
        ask("nil") { try list.decodeNil() }
        if !list.isAtEnd {
            let before = list.currentIndex
            ask("value") { try list.decode(Transcript.self) }
            if list.currentIndex == before { ask("over") { try list.superDecoder().codingPath.count } }
        }
    }

    private mutating func end(_ list: inout any UnkeyedDecodingContainer) {
        ask("Int") { try list.decode(Int.self) }
        ask("nil") { try list.decodeNil() }
        ask("value") { try list.decode(Transcript.self) }
        ask("nested") { try list.nestedContainer(keyedBy: Name.self) }
        ask("list") { try list.nestedUnkeyedContainer().count }
        ask("super") { try list.superDecoder().codingPath.count }
        ask("Int?") { try list.decodeIfPresent(Int.self) }
        ask("UInt8?") { try list.decodeIfPresent(UInt8.self) }
        ask("at") { [list.currentIndex, list.count ?? -1, list.isAtEnd ? 1 : 0] }
    }

    private static func text(_ key: any CodingKey) -> String { "\(key.stringValue)|\(key.intValue ?? -1)" }

    static func text(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(type(of: error)) \(error)" }
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map(text).joined(separator: "/") + ": " + context.debugDescription
        }
        return switch error {
        case .typeMismatch(let type, let context): "no \(type) at \(path(context))"
        case .valueNotFound(let type, let context): "null for \(type) at \(path(context))"
        case .keyNotFound(let key, let context): "no key \(text(key)) at \(path(context))"
        case .dataCorrupted(let context): "corrupted at \(path(context))"
        @unknown default: "unknown"
        }
    }
}
