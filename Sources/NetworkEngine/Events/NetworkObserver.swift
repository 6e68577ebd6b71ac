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
/// A call's events are delivered in order, one at a time for each engine, and never on the call's own path: a slow
/// observer does not delay calls. While calls are open, events are delivered in batches of about a millisecond. An
/// observer of several providers is called from several threads at the same time.
///
/// If an observer falls behind by more than 16,384 events, calls that start then are not observed at all, so that the
/// events it receives are still complete. `.dropped` reports their number.
public protocol NetworkObserver: Sendable {
    /// Handles an event.
    func handle(_ event: NetworkEvent)
}
