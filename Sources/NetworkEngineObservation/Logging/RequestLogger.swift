public import NetworkEngine

/// Logs calls: one line for each, the message heads, or the bodies.
///
/// ```swift
/// configuration.observers = [RequestLogger()]
/// ```
/// Messages go to the unified log on Apple platforms and to standard error elsewhere, unless you pass a closure. This
/// example logs to swift-log:
///
/// ```swift
/// let log = Logger(label: "network")
/// let logger = RequestLogger(level: .line) { message in
///     log.info("\(message)")
/// }
/// configuration.observers = [logger]
/// ```
/// `passingEntries(level:to:)` also passes each message's outcome and call, so that you can log a failure as an error.
///
/// Secrets are replaced by `<redacted>`. JSON is indented, binary bodies are summarized, and long bodies are truncated.
/// Lines include the operation name of a GraphQL call.
public struct RequestLogger: NetworkObserver {
    /// How much is logged. Each level includes the previous ones.
    public enum Level: Int, Hashable, Sendable, CaseIterable {
        /// One line when a call ends.
        case line
        /// Each exchange with its message heads, and what happens between exchanges.
        case headers
        /// The message bodies.
        case bodies
    }

    /// A log message.
    public struct Entry: Sendable {
        /// The end of a call.
        public enum Outcome: String, Hashable, Sendable {
            /// The call returned a value.
            case succeeded
            /// The call failed.
            case failed
            /// The caller canceled the call.
            case cancelled
        }

        /// The message, which can have several lines.
        public let text: String
        /// The call; `nil` for a message about the log itself.
        public let callID: RequestID?
        /// The call's outcome, in the message for its end.
        public let outcome: Outcome?
    }

    /// How much is logged.
    public let level: Level
    /// The number of bytes to log of each body.
    public var bodyLimit = 4_096
    private let sink: @Sendable (Entry) -> Void
    private let calls = Locked<[RequestID: LoggedCall]>([:])

    /// - Parameter sink: receives the messages, one at a time for each engine. A message can have several lines.
    public init(level: Level = .headers, sink: (@Sendable (String) -> Void)? = nil) {
        guard let sink else {
            self.init(level) { SystemLog.write($0.text, isFailure: $0.outcome == .failed) }
            return
        }
        self.init(level) { sink($0.text) }
    }

    private init(_ level: Level, _ sink: @escaping @Sendable (Entry) -> Void) {
        (self.level, self.sink) = (level, sink)
    }

    /// A logger that passes each message's text with its outcome and call.
    ///
    /// ```swift
    /// let logger = RequestLogger.passingEntries(level: .line) { entry in
    ///     let id = entry.callID.map { "\($0)" } ?? ""
    ///     log.log(level: entry.outcome == .failed ? .error : .info, "\(entry.text)", metadata: ["call": "\(id)"])
    /// }
    /// ```
    public static func passingEntries(
        level: Level = .headers,
        to sink: @escaping @Sendable (Entry) -> Void
    ) -> RequestLogger {
        RequestLogger(level, sink)
    }

    public func handle(_ event: NetworkEvent) {
        guard let message = message(for: event) else { return }
        var outcome: Entry.Outcome?
        if case .callEnded(let end) = event.kind {
            switch end.result {
            case .success: outcome = .succeeded
            case .failure(let error): outcome = error.kind == .cancelled ? .cancelled : .failed
            }
        }
        sink(Entry(text: message, callID: event.callID.rawValue == 0 ? nil : event.callID, outcome: outcome))
    }

    private func message(for event: NetworkEvent) -> String? {
        switch event.kind {
        case .callStarted(let start):
            // The number of calls is bounded. For additional calls, only the end is logged.
            calls.withLock { if $0.count < Self.openLimit { $0[event.callID] = LoggedCall(start) } }
            return nil
        case .callEnded(let end):
            var call = calls.withLock { $0.removeValue(forKey: event.callID) } ?? LoggedCall()
            return call.message(event.callID, call.line(of: end))
        case .dropped(let count):
            return "\(count) calls were not logged, because the log was behind"
        case .bodiesDropped(let count):
            return "\(count) bodies were left out, because the log was behind"
        default:
            // A call's events arrive one at a time.
            guard level != .line, var call = calls.withLock({ $0[event.callID] }) else { return nil }
            let message = call.message(for: event, bodyLimit: level == .bodies ? bodyLimit : nil)
            calls.withLock { $0[event.callID] = call }
            return message
        }
    }

    private static let openLimit = 10_000
}
