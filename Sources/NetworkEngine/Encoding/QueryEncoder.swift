import Foundation

/// Encodes parameters and encodable values as a query or a form.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrays = .noBrackets
/// let query = try encoder.encode(["page": 1, "tag": ["a", "b c"]])      // page=1&tag=a&tag=b%20c
/// ```
/// All characters except letters, digits and `-._~` are escaped in names and values, including brackets: `a[]` is sent
/// as `a%5B%5D`. Equal parameters always produce the same text. An empty array or dictionary is omitted. A dictionary
/// with keys that are not strings or integers becomes an array, with each key followed by its value.
public struct QueryEncoder: Sendable {
    /// The names of an array's elements; by default `a[]`.
    public var arrays: QueryStyle.Arrays = .brackets
    /// The encoding of `true` and `false`; by default `1` and `0`.
    public var bools: QueryStyle.Bools = .numeric
    /// The encoding of dates; by default ISO 8601.
    public var dates: QueryStyle.Dates = .iso8601
    /// The encoding of data; by default Base64.
    public var blobs: QueryStyle.Blobs = .base64
    /// The conversion of names; by default none.
    public var keys: QueryStyle.Keys = .useDefaultKeys
    /// The names of nested values; by default `a[b]`.
    public var keyPaths: QueryStyle.KeyPaths = .brackets
    /// The encoding of `nil`; by default the parameter is omitted.
    public var nils: QueryStyle.Nils = .dropKey
    /// The encoding of a space; by default `%20`.
    public var spaces: QueryStyle.Spaces = .percentEncoded
    /// The characters of `/?:@!$'()*,;[]` to leave unescaped, in addition to letters, digits and `-._~`; by default
    /// none.
    ///
    /// Some servers accept `ids=1,2` but not `ids=1%2C2`. Other characters are always escaped, because they separate
    /// names and values or are illegal. Brackets are illegal in a URL, so they remain unescaped only in forms.
    public var unescapedCharacters: Set<Character> = []
    /// Whether an encodable value's properties are sorted by name. Dictionaries are always sorted.
    public var sortsKeys = true

    /// Creates an encoder with the default styles.
    public init() {}

    /// Encodes parameters.
    ///
    /// Throws `.encoding` for an invalid value. The error identifies the parameter.
    public func encode(_ parameters: Parameters) throws(NetworkError) -> String {
        try write(ParameterValue.members(of: parameters))
    }

    /// Encodes a value's properties.
    ///
    /// Throws `.encoding` for a value without properties: an array, a number, a string, `nil`.
    public func encode(_ value: any Encodable) throws(NetworkError) -> String {
        switch try ParameterValueEncoder.read(value, at: "") {
        case .object(let members):
            return try write(members)
        case .array:
            throw .unencodable("a top-level array has no names to write a query from; give a struct or a dictionary")
        case .null:
            throw .unencodable("a top-level nil has no names to write a query from; give a struct or a dictionary")
        default:
            throw .unencodable(
                "a top-level \(type(of: value)) has no names to write a query from; give a struct or a dictionary"
            )
        }
    }

    /// Encodes fields in order.
    func encode(fields: some Sequence<(String, String)>) -> String {
        var output: [UInt8] = []
        for (name, value) in fields { write(value, name: name, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    private func write(_ members: [ParameterValue.Member]) throws(NetworkError) -> String {
        var output: [UInt8] = []
        for member in sorted(members) {
            try write(member.value, name: keys.text(for: member.name), to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    func write(_ value: ParameterValue, name: String, to output: inout [UInt8]) throws(NetworkError) {
        switch value {
        case .object(let members):
            for member in sorted(members) {
                let name = keyPaths.name(of: keys.text(for: member.name), in: name)
                try write(member.value, name: name, to: &output)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try write(element, name: arrays.name(ofElement: index, in: name), to: &output)
            }
        case .encodable(let encodable):
            try write(ParameterValueEncoder.read(encodable, at: name), name: name, to: &output)
        case .data(let data):
            try write(data, name: name, to: &output)
        case .date(let date):
            do {
                write(try dates.text(for: date), name: name, to: &output)
            } catch {
                throw .unencodable("date parameter \(name.debugDescription) could not be written", underlying: error)
            }
        case .null:
            switch nils {
            case .dropKey: break
            case .dropValue: write("", name: name, to: &output)
            case .asNull: write("null", name: name, to: &output)
            }
        case .bool(let value): write(bools.text(for: value), name: name, to: &output)
        case .string(let value): write(value, name: name, to: &output)
        case .integer(let value): write(String(value), name: name, to: &output)
        case .number(let value): write(String(value), name: name, to: &output)
        case .decimal(let value): write(value.description, name: name, to: &output)
        }
    }

    private func write(_ data: Data, name: String, to output: inout [UInt8]) throws(NetworkError) {
        switch blobs {
        case .base64: write(data.base64EncodedString(), name: name, to: &output)
        case .deferredToData: try write(.array(data.map { .integer(Int64($0)) }), name: name, to: &output)
        case .custom(let text):
            do {
                write(try text(data), name: name, to: &output)
            } catch {
                throw .unencodable("data parameter \(name.debugDescription) could not be written", underlying: error)
            }
        }
    }

    private func write(_ text: String, name: String, to output: inout [UInt8]) {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        append(name, to: &output)
        output.append(UInt8(ascii: "="))
        append(text, to: &output)
    }

    private func append(_ text: String, to output: inout [UInt8]) {
        switch spaces {
        case .percentEncoded: output.append(percentEncoding: text.utf8, keeping: kept)
        case .plus: output.append(formEncoding: text.utf8, keeping: kept)
        }
    }

    private var kept: ASCIISet {
        if unescapedCharacters.isEmpty { return .unreserved }
        let bytes = unescapedCharacters.compactMap(\.asciiValue).filter(ASCIISet.withoutMeaningInFields.contains)
        return ASCIISet.unreserved.union(bytes)
    }

    private func sorted(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        sortsKeys ? members.sorted(byText: { $0.name }) : members
    }
}
