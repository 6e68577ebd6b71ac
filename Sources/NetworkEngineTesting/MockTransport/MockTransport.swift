public import NetworkEngine

/// A transport that answers from a script and remembers what it was asked.
///
/// ```swift
/// let mock = MockTransport(.status(503), .status(200))           // answers whatever comes, in this order
///
/// let mock = MockTransport()                                      // or by what is asked for
/// mock.on(.get, "/users/:id").answers(.json(#"{"id": 7}"#).repeating())
/// mock.on(.post, "/users", json: #"{"name": "Ada"}"#).answers(.status(500), .status(201))
/// ```
/// A request that no rule answers fails with an error that says which rule came closest and what differed. Every mock is
/// a world of its own: any number of tests use theirs at the same time.
public final class MockTransport: Transport {
    private let script: Locked<MockScript>
    private let clock: any Clock<Duration>

    /// Makes a mock with one rule, which matches every request and gives these answers; without any, a mock without rules.
    ///
    /// - Parameter clock: what delays are measured on.
    public init(_ answers: MockAnswer..., clock: any Clock<Duration> = ContinuousClock()) {
        script = Locked(MockScript())
        self.clock = clock
        if !answers.isEmpty { on().answers(answers) }
    }

    /// Adds a rule for the requests that have all of these parts; say what it answers with `answers(_:)`.
    ///
    /// Rules are asked in the order they were added; one that has given all its answers steps aside for the next.
    ///
    /// - Parameters:
    ///   - path: `*` stands for anything within a segment, `**` for any number of segments, `:name` for one segment, whose
    ///     text a handler or fixture can use. May begin with an origin, `https://host`, and end with a query.
    ///   - query: items that the address must have, among others; `*` in a value stands for anything.
    ///   - headers: fields that the request must have, among others; `*` in a value stands for anything.
    ///   - json: what the body must contain: an object may have more members than are asked for here, on every level.
    ///   - condition: whatever else must be so. It may be asked about requests that another rule answers.
    public func on(
        _ method: HTTPMethod? = nil,
        _ path: String = "**",
        query: [String: String] = [:],
        headers: [String: String] = [:],
        json: String? = nil,
        where condition: (@Sendable (HTTPRequest) -> Bool)? = nil
    ) -> MockRule {
        let matcher = MockMatcher(
            method: method,
            path: PathPattern(path, query: query),
            headers: headers,
            json: json.map(JSONPattern.init),
            condition: condition
        )
        return MockRule(number: script.withLock { $0.add(matcher) }, script: script)
    }

    /// Every request so far in the order of arrival, answered or not; a body from a file or stream as the bytes it had.
    public var requests: [HTTPRequest] { script.withLock { $0.requests } }

    /// What the rules have not given yet, a line for each rule.
    public var unusedRules: [String] { script.withLock { $0.unusedRules } }

    /// Throws when a rule has answers left, or repeats one that nobody asked for; for the end of a test.
    public func checkAllUsed() throws(UnusedRules) {
        let rules = unusedRules
        if !rules.isEmpty { throw UnusedRules(rules: rules) }
    }

    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        context.admitted()
        try Task.checkCancellation()
        let received = try await request.withBodyInMemory()
        let findings = script.withLock { $0.matchers }.map { $0.compare(received) }
        let (answer, call) = try script.withLock { try $0.answer(received, findings) }
        return try await answer.respond(to: request, call: call, context: context, clock: clock)
    }
}
