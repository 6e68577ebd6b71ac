/// Decides when to call the system's completion handlers for the events of a background session.
///
/// A pure value. The app's handler can arrive before or after the session reports its last event. Each handler is
/// called once.
struct BackgroundEvents<Handler: Sendable>: Sendable {
    private var handlers: [Handler] = []
    private var areDelivered = false

    init() {}

    /// The app was woken for the session's events.
    ///
    /// - Returns: the handlers to call now.
    mutating func woken(_ handler: Handler) -> [Handler] {
        handlers.append(handler)
        return areDelivered ? takeHandlers() : []
    }

    /// A task event arrived, so more can follow.
    mutating func eventArrived() { areDelivered = false }

    /// The session has delivered all events.
    ///
    /// - Returns: the handlers to call now.
    mutating func allDelivered() -> [Handler] {
        areDelivered = true
        return handlers.isEmpty ? [] : takeHandlers()
    }

    private mutating func takeHandlers() -> [Handler] {
        areDelivered = false
        defer { handlers = [] }
        return handlers
    }
}
