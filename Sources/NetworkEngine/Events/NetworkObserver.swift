/// Receives the events of calls.
///
/// ```swift
/// struct StatusPrinter: NetworkObserver {
///     func handle(_ event: NetworkEvent) {
///         if case .responded(let head) = event.kind { print(event.callID, head.statusCode) }
///     }
/// }
/// configuration.observers = [StatusPrinter()]
/// ```
/// Events are delivered in the order of each call, one at a time for each engine, and never on the path of the call: a
/// slow observer delays no call. While calls are open, the events of about a millisecond are delivered together. An
/// observer of several providers is called by several threads at once.
///
/// If an observer falls behind by more than 16,384 events, calls that start then are not observed at all, so that the
/// events it gets are still complete. `.dropped` reports their number.
public protocol NetworkObserver: Sendable {
    /// Handles an event.
    func handle(_ event: NetworkEvent)
}
