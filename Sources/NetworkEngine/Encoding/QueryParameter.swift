/// A name and a value in a query, encoded when the request is made.
struct QueryParameter: Sendable {
    let name: String
    /// A value of the types that ``Parameters`` have.
    private let value: (any Sendable)?

    init(_ name: String, _ value: (any Sendable)?) { (self.name, self.value) = (name, value) }

    /// Reads the value, without the style of an encoder. Throws `.encoding` for one that cannot be encoded.
    func read() throws(NetworkError) -> ParameterValue {
        guard let value else { return .null }
        return try ParameterValue.value(of: value, named: name)
    }
}

extension QueryParameter: Hashable {
    /// A text that is unique to the value, whatever the encoder. For a value that cannot be encoded, the reason.
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
    /// Encodes parameters in their order, each like a parameter of a target.
    func encode(_ parameters: [QueryParameter]) throws(NetworkError) -> String {
        var output: [UInt8] = []
        for parameter in parameters {
            try write(parameter.read(), name: keys.text(for: parameter.name), to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
