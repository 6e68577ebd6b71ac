import NetworkEngine

/// A mock transport's rules and their use, as a pure value.
struct MockScript {
    struct Rule {
        let matcher: MockMatcher
        var isOptional = false
        var answers: [MockAnswer] = []
        /// The index of the current answer, and the number of its uses.
        var position = 0
        var uses = 0
        /// The indices of the requests that this rule answered.
        var requests: [Int] = []

        var isUsedUp: Bool { position >= answers.count || answers[position].limit.map { uses >= $0 } ?? false }

        /// The number of expected answers left. An unlimited answer counts as one until it is used.
        var left: Int {
            answers.indices.dropFirst(position).reduce(0) { sum, index in
                let given = index == position ? uses : 0
                return sum + (answers[index].limit.map { max(0, $0 - given) } ?? (given == 0 ? 1 : 0))
            }
        }

        mutating func next() -> (answer: MockAnswer, use: Int)? {
            while position < answers.count {
                let answer = answers[position]
                if answer.limit.map({ uses < $0 }) ?? true {
                    uses += 1
                    return (answer, uses - 1)
                }
                position += 1
                uses = 0
            }
            return nil
        }
    }

    var rules: [Rule] = []
    private(set) var requests: [HTTPRequest] = []
    private(set) var unanswered: [UnansweredRequest] = []

    var matchers: [MockMatcher] { rules.map(\.matcher) }

    /// Adds a rule and returns its number, starting at 1.
    mutating func add(_ matcher: MockMatcher) -> Int {
        rules.append(Rule(matcher: matcher))
        return rules.count
    }

    /// Records a request and takes the next answer of the first matching rule that has one.
    mutating func answer(
        _ request: HTTPRequest,
        _ findings: [MockMatcher.Finding]
    ) throws(NetworkError) -> (MockAnswer, MockCall) {
        requests.append(request)
        for index in findings.indices where findings[index].mismatches.isEmpty {
            guard let (answer, use) = rules[index].next() else { continue }
            rules[index].requests.append(requests.count - 1)
            return (answer, MockCall(request: request, parameters: findings[index].parameters, use: use))
        }
        let reasons = findings.indices.map { reason($0, findings[$0]) }
        unanswered.append(UnansweredRequest(request: request, reasons: reasons))
        throw NetworkError(kind: .transport, reason: explanation(for: request, findings), request: request)
    }

    /// Describes a rule by its number and conditions.
    func describe(_ index: Int) -> String { "rule \(index + 1) (\(rules[index].matcher))" }

    var unusedRules: [String] {
        rules.indices.compactMap { index in
            let left = rules[index].left
            guard left > 0, !rules[index].isOptional else { return nil }
            return "\(describe(index)) has \(left) of its answers left"
        }
    }

    /// Explains why no rule answers: the closest rule and the differences.
    private func explanation(for request: HTTPRequest, _ findings: [MockMatcher.Finding]) -> String {
        let lead = "no rule of the mock answers this request"
        guard let closest = findings.indices.min(by: { findings[$0].distance < findings[$1].distance }) else {
            return "\(lead): it has no rules"
        }
        let isMatch = findings[closest].mismatches.isEmpty
        return lead + (isMatch ? ": " : "; closest is ") + reason(closest, findings[closest])
    }

    /// Explains why a rule does not answer a request.
    private func reason(_ index: Int, _ finding: MockMatcher.Finding) -> String {
        guard finding.mismatches.isEmpty else {
            return "\(describe(index)): \(finding.mismatches.joined(separator: "; "))"
        }
        let count = rules[index].requests.count
        let state = count == 0 ? "has no answers" : "has given all its answers (\(count))"
        return "\(describe(index)) matches but \(state)"
    }
}
