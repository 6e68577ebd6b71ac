/// The responses that a target accepts.
///
/// ```swift
/// var validation: ResponseValidation { .statusCodes(200..<400).contentType("application/json") }
/// ```
public struct ResponseValidation: Sendable {
    private enum Rule: Sendable {
        case success
        case statuses(@Sendable (Int) -> Bool, words: String)
        case contentTypes([String])
        case accepted
        case custom(@Sendable (HTTPResponse) throws -> Void)
    }

    private var rules: [Rule]

    /// The configuration's validation, by default statuses from 200 to 299.
    public static let success = ResponseValidation(rules: [.success])
    /// All responses.
    public static let anyResponse = ResponseValidation(rules: [])

    /// Responses with one of these statuses.
    public static func statusCodes(_ codes: Range<Int>) -> Self {
        Self(rules: [.statuses({ codes.contains($0) }, words: "\(codes.lowerBound)..<\(codes.upperBound)")])
    }

    /// Responses with one of these statuses.
    public static func statusCodes(_ codes: Set<Int>) -> Self {
        let words = codes.sorted(byNumber: { $0 }).map(String.init).joined(separator: ", ")
        return Self(rules: [.statuses({ codes.contains($0) }, words: words)])
    }

    /// Accepts a response if the closure does not throw.
    ///
    /// If the closure throws a `NetworkError`, the call fails with it. Otherwise the call fails with an error of kind
    /// `.invalidResponse`, with the closure's error as `underlying`.
    public static func custom(_ check: @escaping @Sendable (HTTPResponse) throws -> Void) -> Self {
        Self(rules: [.custom(check)])
    }

    /// Additionally requires one of these media types, ignoring parameters. An empty body has no type to check. A
    /// stream of unknown length is not assumed to be empty.
    ///
    /// `type/*` and `*/*` are wildcards.
    public func contentType(_ types: String...) -> Self { adding(.contentTypes(types.map(Self.mediaType))) }

    /// Additionally requires a media type that the request's `Accept` lists. Without that field, any type is accepted.
    ///
    /// ```swift
    /// configuration.validation = .success.acceptedContentType()
    /// ```
    /// This turns a proxy's own HTML page into an error, for example. Parameters other than `q=0` are ignored, and an
    /// empty body has no type to check.
    public func acceptedContentType() -> Self { adding(.accepted) }

    /// Additionally requires that the closure does not throw.
    public func custom(_ check: @escaping @Sendable (HTTPResponse) throws -> Void) -> Self { adding(.custom(check)) }

    private func adding(_ rule: Rule) -> Self { Self(rules: rules + [rule]) }
}

extension ResponseValidation {
    /// Throws if the response is not acceptable. `success` refers to the given standard.
    package func check(_ response: HTTPResponse, standard: ResponseValidation) throws(NetworkError) {
        for rule in rules {
            switch rule {
            case .success where standard.isPlainSuccess:
                guard (200..<300).contains(response.statusCode) else {
                    throw Self.rejected(response, wanting: "200..<300")
                }
            case .success:
                try standard.check(response, standard: Self(rules: [.success]))
            case .statuses(let accepts, let words):
                guard accepts(response.statusCode) else { throw Self.rejected(response, wanting: words) }
            case .contentTypes(let types):
                try Self.checkType(of: response, against: types)
            case .accepted:
                let ranges = ListField.members(of: response.request.headers.values(for: "Accept"))
                if !ranges.isEmpty { try Self.checkType(of: response, accepting: ranges) }
            case .custom(let check):
                try Self.run(check, on: response)
            }
        }
    }

    /// Throws if a custom check throws, regardless of the status and the content type.
    package func checkContent(of response: HTTPResponse) throws(NetworkError) {
        for case .custom(let check) in rules { try Self.run(check, on: response) }
    }

    private var isPlainSuccess: Bool {
        if rules.count == 1, case .success = rules[0] { true } else { false }
    }

    private static func rejected(_ response: HTTPResponse, wanting words: String) -> NetworkError {
        if response.isUnanswered {
            return NetworkError(
                kind: .status, reason: "no stored response can be used, and the request accepts no other",
                response: response, underlying: CacheMiss())
        }
        return NetworkError(
            kind: .status, reason: "status \(response.statusCode) is not in \(words)", response: response)
    }

    private static func run(
        _ check: @Sendable (HTTPResponse) throws -> Void,
        on response: HTTPResponse
    ) throws(NetworkError) {
        do {
            try check(response)
        } catch {
            throw .wrapping(
                error,
                response: response,
                as: NetworkError(
                    kind: .invalidResponse,
                    reason: "the target's validation threw \(type(of: error))",
                    response: response,
                    underlying: error
                )
            )
        }
    }

    /// Returns a media type in lowercase, without parameters and spaces.
    private static func mediaType(_ text: String) -> String {
        text.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    }

    /// Checks a response's type against the ranges of an `Accept` field. A weight of 0 excludes a type.
    private static func checkType(of response: HTTPResponse, accepting ranges: [String]) throws(NetworkError) {
        let type = mediaType(response.headers["Content-Type"] ?? "")
        let whole = type.prefix { $0 != "/" } + "/*"
        // The most specific matching range decides.
        let deciding = [type, String(whole), "*/*"].lazy.compactMap { name in
            ranges.first { mediaType($0) == name }
        }.first
        if let deciding, !hasNoWeight(deciding) { return }
        if response.isEmpty { return }
        throw NetworkError(
            kind: .invalidResponse,
            reason: "content type \(type.debugDescription) is not one that the request accepts", response: response)
    }

    private static func hasNoWeight(_ range: String) -> Bool {
        range.split(separator: ";").dropFirst().contains { parameter in
            let text = parameter.lowercased().filter { !$0.isWhitespace }
            return text.hasPrefix("q=") && Double(text.dropFirst(2)) == 0
        }
    }

    private static func checkType(of response: HTTPResponse, against types: [String]) throws(NetworkError) {
        let type = mediaType(response.headers["Content-Type"] ?? "")
        let isAccepted = types.contains { accepted in
            accepted == type || accepted == "*/*"
                || (accepted.hasSuffix("/*") && type.hasPrefix(accepted.dropLast(1)))
        }
        guard isAccepted || response.isEmpty else {
            throw NetworkError(
                kind: .invalidResponse,
                reason: "content type \(type.debugDescription) is not \(types.joined(separator: " or "))",
                response: response
            )
        }
    }
}

extension HTTPResponse {
    /// Whether the response has no body in memory, in a file or in a stream.
    ///
    /// A stream of unknown length counts as a body, unless the response cannot have one.
    fileprivate var isEmpty: Bool {
        if request.method == .head || [204, 205, 304].contains(statusCode) { return true }
        switch body {
        case .data(let data): return data.isEmpty
        case .file(let url): return BodyFile.length(of: url) == 0
        case .stream(let stream): return stream.length == 0 || headers["Content-Length"] == "0"
        }
    }
}
