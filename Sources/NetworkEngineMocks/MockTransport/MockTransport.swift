public import NetworkEngine

/// A transport that answers from a script and records its requests.
///
/// ```swift
/// let mock = MockTransport(.status(503), .status(200))           // answers whatever comes, in this order
///
/// let mock = MockTransport()                                      // or by what is asked for
/// mock.on(.get, "/users/:id").answers(.json(#"{"id": 7}"#).repeating())
/// mock.on(.post, "/users", json: #"{"name": "Ada"}"#).answers(.status(500), .status(201))
/// ```
/// A request without a matching rule fails. The error describes the closest rule and the differences, and `unanswered`
/// has every rule's reasons. Mocks share no state, so tests can use them concurrently.
public final class MockTransport: UpgradingTransport {
    private let script: Locked<MockScript>
    private let clock: any Clock<Duration>

    /// Creates a mock with one rule that matches every request, or without rules when no answer is given.
    ///
    /// - Parameter clock: Measures delays.
    public init(_ answers: MockAnswer..., clock: any Clock<Duration> = ContinuousClock()) {
        script = Locked(MockScript())
        self.clock = clock
        if !answers.isEmpty { on().answers(answers) }
    }

    /// Adds a rule for the requests that match all of these conditions. Add its answers with `answers(_:)`.
    ///
    /// Rules are tried in the order you added them. The first matching rule with answers left is used.
    ///
    /// - Parameters:
    ///   - path: Compared with the whole URL path, including the base URL's path. `*` matches anything within a
    ///     segment, `**` any number of segments, and `:name` one segment, which a handler or fixture can use. The path
    ///     can start with an origin, `https://host`, and end with a query.
    ///   - query: Items that the URL must contain. `*` in a value matches anything.
    ///   - headers: Fields that the request must contain. `*` in a value matches anything.
    ///   - json: JSON that the body must contain. Objects may have additional members on every level.
    ///   - condition: An additional condition. It may also be called for requests that another rule answers.
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

    /// All requests in order of arrival, answered or not. A body from a file or stream is in memory, unless it is sent
    /// while the response is received.
    public var requests: [HTTPRequest] { script.withLock { $0.requests } }

    /// The requests that no rule has answered, in order, with each rule's reasons.
    public var unanswered: [UnansweredRequest] { script.withLock { $0.unanswered } }

    /// The unused answers, one line for each rule.
    public var unusedRules: [String] { script.withLock { $0.unusedRules } }

    /// Throws when a rule has unused answers. Call it at the end of a test.
    public func checkAllUsed() throws(UnusedRules) {
        let rules = unusedRules
        if !rules.isEmpty { throw UnusedRules(rules: rules) }
    }

    /// Records a request, and returns or throws the next answer of the first matching rule that has answers left.
    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        // The caller's stream may take time, which the timeout limits.
        if case .stream = request.body { context.admitted() } else { context.admittedWithoutTimeout() }
        try Task.checkCancellation()
        let received = try await request.withBodyInMemory()
        let findings = script.withLock { $0.matchers }.map { $0.compare(received) }
        let (answer, call) = try script.withLock { try $0.answer(received, findings) }
        return try await answer.respond(to: request, call: call, context: context, clock: clock)
    }
}

extension MockTransport: SelfAdmittingTransport {}
