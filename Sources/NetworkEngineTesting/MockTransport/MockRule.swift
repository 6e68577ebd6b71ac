public import NetworkEngine

/// A rule of a mock transport: the requests it matches, and its answers.
public struct MockRule: Sendable, CustomStringConvertible {
    let number: Int
    let script: Locked<MockScript>

    /// Adds answers, which are given one after the other.
    @discardableResult
    public func answers(_ answers: MockAnswer...) -> MockRule { self.answers(answers) }

    /// Adds answers, which are given one after the other.
    @discardableResult
    public func answers(_ answers: [MockAnswer]) -> MockRule {
        script.withLock { $0.rules[number - 1].answers += answers }
        return self
    }

    /// Allows unused answers at the end of a test.
    @discardableResult
    public func optional() -> MockRule {
        script.withLock { $0.rules[number - 1].isOptional = true }
        return self
    }

    /// The requests that this rule has answered, in order.
    public var requests: [HTTPRequest] {
        script.withLock { script in script.rules[number - 1].requests.map { script.requests[$0] } }
    }

    public var description: String { script.withLock { $0.describe(number - 1) } }
}

/// The conditions for a rule to match a request.
struct MockMatcher: Sendable, CustomStringConvertible {
    /// The result of comparing a request with a rule.
    struct Finding {
        var mismatches: [String] = []
        /// The weight of the differences: another URL weighs more than another method or body.
        var distance = 0
        var parameters: [String: String] = [:]

        mutating func add(_ mismatch: String, weight: Int) {
            mismatches.append(mismatch)
            distance += weight
        }
    }

    var method: HTTPMethod?
    var path: PathPattern
    var headers: [String: String] = [:]
    var json: JSONPattern?
    var condition: (@Sendable (HTTPRequest) -> Bool)?

    func compare(_ request: HTTPRequest) -> Finding {
        var finding = Finding()
        if let method, method != request.method {
            finding.add("the method is \(request.method), not \(method)", weight: 50)
        }
        finding.parameters = path.compare(request.url) { finding.add($0, weight: $1) }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard let mismatch = mismatch(request.headers, name, value) else { continue }
            finding.add(mismatch, weight: 10)
        }
        for mismatch in json?.mismatches(in: request.body.data) ?? [] { finding.add(mismatch, weight: 10) }
        if let condition, !condition(request) { finding.add("its condition is not met", weight: 10) }
        return finding
    }

    /// Compares the joined field and each of its lines.
    private func mismatch(_ headers: HTTPHeaders, _ name: String, _ pattern: String) -> String? {
        let show = { (value: String) in
            Redaction.isSecret(header: name) ? Redaction.placeholder : value.debugDescription
        }
        guard let whole = headers[name] else { return "header \(name) is missing, not \(show(pattern))" }
        let glob = Glob(pattern)
        if glob.matches(whole) || headers.values(for: name).contains(where: glob.matches) { return nil }
        return "header \(name) is \(show(whole)), not \(show(pattern))"
    }

    var description: String {
        var parts = [method?.rawValue ?? "any method", path.description]
        parts += headers.keys.sorted().map { "header \($0)" }
        if json != nil { parts.append("JSON body") }
        if condition != nil { parts.append("condition") }
        return parts.prefix(2).joined(separator: " ") + parts.dropFirst(2).map { ", " + $0 }.joined()
    }
}

/// A mock transport has answers that no request used.
public struct UnusedRules: Error, Equatable, CustomStringConvertible {
    /// The remaining answers of each rule, one line each.
    public let rules: [String]

    public var description: String { "the mock was not used up: " + rules.joined(separator: "; ") }
}
