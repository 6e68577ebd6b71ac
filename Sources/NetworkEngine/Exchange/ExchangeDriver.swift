/// Moves the bytes of one exchange.
package protocol ExchangeDriver: AnyObject, Sendable {
    var exchange: Exchange { get }
    /// Requests a permit and starts. Called once, unless the exchange was aborted before.
    func start()
    /// Called when the exchange was aborted. Releases its connection, permit or place in the queue. Never waits.
    func stop()
    /// Called when the reader of a streamed body has room again.
    func continueReceiving()
}

extension ExchangeDriver {
    /// Records the head of a response.
    package func receive(_ head: ResponseHead) -> Exchange.Instruction {
        exchange.receive(head) {
            StreamBuffer.Source(
                onRoom: { self.continueReceiving() }, onAbandoned: { self.abort(.cancelled) })
        }
    }

    /// Ends the exchange from outside its driver.
    package func abort(_ reason: AbortReason) {
        guard let completion = exchange.abort(reason) else { return }
        // The driver is notified first, so that the caller's next request finds the permit.
        stop()
        completion.run()
    }
}

extension Exchange {
    /// Where the driver keeps the exchange.
    package struct Position: Sendable {
        /// The permit that the exchange is waiting for, or has waited for.
        package var permit: Permit?
        /// The event loop that runs the exchange.
        package var loop: Int?
        /// The position in that loop.
        package var slot: Int?
    }

    /// Runs the exchange and returns its response.
    ///
    /// A canceled task returns immediately, whatever the platform is still doing.
    package func response(by driver: any ExchangeDriver) async throws -> HTTPResponse {
        context.onInterruption { driver.abort(.timedOut) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if begin(Waiter(continuation)) { driver.start() }
            }
        } onCancel: {
            driver.abort(.cancelled)
        }
        return try result().get()
    }
}
