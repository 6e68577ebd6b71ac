/// Runs a custom transport in a separate task.
///
/// The task is abandoned at the timeout, the deadline or a cancellation, even if the transport ignores them.
package struct TransportAdapter: TransportDriver {
    private let transport: any Transport
    private let timers: TimerQueue

    package init(_ transport: any Transport, timers: TimerQueue = TimerQueue(timebase: .reading(ContinuousClock()))) {
        self.transport = transport
        self.timers = timers
    }

    package var identity: ObjectIdentifier? { transport.sharedIdentity }

    package func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let call = RunningCall<HTTPResponse>(timers: timers, onUnclaimed: { $0.discardFile() })
        context.onInterruption { call.finish(.failure(.cancelled(request))) }
        // The timeout starts here. A transport with a queue starts it again, with `admitted()`.
        context.admitted()
        let outcome = await call.run(until: nil) {
            RunningCall<HTTPResponse>.Working.starting { [transport] in
                do {
                    return call.finish(.success(try await transport.send(request, context: context)))
                } catch {
                    return call.finish(.failure(.transport(error, request: request)))
                }
            }
        }
        return try outcome.get()
    }
}
