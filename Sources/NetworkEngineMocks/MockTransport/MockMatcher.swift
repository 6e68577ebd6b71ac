import NetworkEngine

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
