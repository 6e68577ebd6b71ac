import NetworkEngine

/// A server's challenge: an authentication scheme, with parameters or a token (RFC 9110, 11.3).
struct AuthenticationChallenge: Hashable, Sendable {
    struct Parameter: Hashable, Sendable {
        let name: String
        /// The unquoted and unescaped value.
        let value: String
    }

    /// The scheme name in lowercase.
    let scheme: String
    /// The token that some schemes use instead of parameters.
    let token: String?
    let parameters: [Parameter]

    /// The value of a parameter. The name is case-insensitive.
    subscript(name: String) -> String? { parameters[name] }

    /// The challenges in the values of `WWW-Authenticate` fields, in order.
    ///
    /// A field can contain several challenges. Commas separate both challenges and parameters. Malformed challenges are
    /// omitted.
    static func challenges(in fields: [String]) -> [AuthenticationChallenge] {
        fields.flatMap { field in
            var scanner = ChallengeScanner(field)
            return scanner.challenges()
        }
    }

    /// The parameters in the value of an `Authentication-Info` field; empty if the value is malformed.
    static func parameters(in field: String) -> [Parameter] {
        var scanner = ChallengeScanner(field)
        return scanner.parameters() ?? []
    }
}

extension [AuthenticationChallenge.Parameter] {
    subscript(name: String) -> String? { first { $0.name.equalsIgnoringASCIICase(name) }?.value }
}

/// Parses challenges from the bytes of a field.
private struct ChallengeScanner {
    private enum Item {
        case scheme(String)
        case parameter(AuthenticationChallenge.Parameter)
        case malformed
    }

    /// More parameters than any scheme has. Limits the search for duplicates.
    private static let parameterLimit = 64
    private var rest: ArraySlice<UInt8>

    init(_ field: String) { rest = Array(field.utf8)[...] }

    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        while case .scheme(let name)? = nextItem() {
            rest.removeBlanks()
            let token = token68()
            let parameters = parameters()
            // After a malformed parameter it is unknown where the next challenge begins.
            guard let parameters else { break }
            challenges.append(
                AuthenticationChallenge(scheme: name.lowercased(), token: token, parameters: parameters))
        }
        return challenges
    }

    /// The parameters up to the next scheme; `nil` if they are malformed.
    mutating func parameters() -> [AuthenticationChallenge.Parameter]? {
        var parameters: [AuthenticationChallenge.Parameter] = []
        while true {
            let start = rest
            switch nextItem() {
            case .parameter(let parameter):
                guard parameters[parameter.name] == nil, parameters.count < Self.parameterLimit else { return nil }
                parameters.append(parameter)
            case .scheme:
                rest = start
                return parameters
            case .malformed: return nil
            case nil: return parameters
            }
        }
    }

    /// The next name with its value, or without one; `nil` at the end.
    private mutating func nextItem() -> Item? {
        rest = rest.drop { $0 == UInt8(ascii: ",") || $0.isBlank }
        if rest.isEmpty { return nil }
        let name = rest.removeToken()
        if name.isEmpty { return .malformed }
        let end = rest
        rest.removeBlanks()
        guard rest.first == UInt8(ascii: "=") else {
            rest = end
            return .scheme(name)
        }
        rest = rest.dropFirst()
        rest.removeBlanks()
        let value = rest.first == UInt8(ascii: "\"") ? quotedString() : rest.removeToken()
        return value.map { .parameter(.init(name: name, value: $0)) } ?? .malformed
    }

    /// The text between quotes; `nil` without a closing quote.
    private mutating func quotedString() -> String? {
        let (text, isClosed) = rest.removeQuotedString()
        return isClosed ? text : nil
    }

    /// A token of letters, digits and `-._~+/`, with `=` only at its end; `nil` if parameters follow instead.
    private mutating func token68() -> String? {
        let text = rest.prefix { byte in
            ASCIISet.unreserved.contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        }
        let token = rest[..<rest[text.endIndex...].prefix { $0 == UInt8(ascii: "=") }.endIndex]
        let next = rest[token.endIndex...].first { !$0.isBlank }
        guard !text.isEmpty, next == nil || next == UInt8(ascii: ",") else { return nil }
        rest = rest[token.endIndex...]
        return String(decoding: token, as: UTF8.self)
    }
}
