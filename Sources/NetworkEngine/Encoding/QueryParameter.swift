/// A name and a value in a query, encoded when the request is built.
struct QueryParameter: Sendable {
    let name: String
    /// A value of a type that ``Parameters`` supports.
    private let value: (any Sendable)?

    init(_ name: String, _ value: (any Sendable)?) { (self.name, self.value) = (name, value) }

    /// Reads the value, independent of an encoder's style. Throws `.encoding` if it cannot be encoded.
    func read() throws(NetworkError) -> ParameterValue {
        guard let value else { return .null }
        return try ParameterValue.value(of: value, named: name)
    }
}

extension QueryParameter: Hashable {
    /// A text that is unique to the value, for any encoder. For a value that cannot be encoded, the reason.
    private var content: String {
        do throws(NetworkError) {
            // Every encoder writes an integer as its digits.
            if case .integer(let number) = try read() { return ParameterValue.string(String(number)).sortingText }
            return try read().sortingText
        } catch {
            return error.reason
        }
    }

    static func == (one: QueryParameter, other: QueryParameter) -> Bool {
        one.name == other.name && one.content == other.content
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(content)
    }
}

extension QueryEncoder {
    /// Encodes parameters in order, each like a target's parameter.
    func encode(_ parameters: [QueryParameter]) throws(NetworkError) -> String {
        var output: [UInt8] = []
        for parameter in parameters {
            try write(parameter.read(), name: keys.text(for: parameter.name), to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
