/// Logs calls: one line for each, the heads of messages, or their bodies.
///
/// ```swift
/// configuration.observers = [RequestLogger()]
/// ```
/// Messages go to the unified log on Apple platforms and to the standard error elsewhere, unless a closure receives them.
/// These lines log to swift-log:
///
/// ```swift
/// let log = Logger(label: "network")
/// let logger = RequestLogger(level: .line) { message in
///     log.info("\(message)")
/// }
/// configuration.observers = [logger]
/// ```
/// Secrets are replaced by `<redacted>`. JSON is indented, binary bodies are summarized, and long bodies are cut. A line
/// names the operation of a GraphQL call.
public struct RequestLogger: NetworkObserver {
    /// How much is logged. Each level includes those before it.
    public enum Level: Int, Hashable, Sendable, CaseIterable {
        /// One line at the end of a call.
        case line
        /// Each exchange with the heads of its messages, and what happens between exchanges.
        case headers
        /// The bodies of messages.
        case bodies
    }

    /// How much is logged.
    public let level: Level
    /// The number of bytes that are logged of a body.
    public var bodyLimit = 4_096
    private let sink: @Sendable (String) -> Void
    private let calls = Locked<[RequestID: LoggedCall]>([:])

    /// - Parameter sink: receives the messages, one at a time for each engine. A message can have several lines.
    public init(level: Level = .headers, sink: (@Sendable (String) -> Void)? = nil) {
        self.level = level
        self.sink = sink ?? SystemLog.write
    }

    public func handle(_ event: NetworkEvent) {
        if let message = message(for: event) { sink(message) }
    }

    private func message(for event: NetworkEvent) -> String? {
        switch event.kind {
        case .callStarted(let start):
            // The number of calls is bounded. Of others, only the end is logged.
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
            // The events of a call arrive one at a time.
            guard level != .line, var call = calls.withLock({ $0[event.callID] }) else { return nil }
            let message = call.message(for: event, bodyLimit: level == .bodies ? bodyLimit : nil)
            calls.withLock { $0[event.callID] = call }
            return message
        }
    }

    private static let openLimit = 10_000
}
