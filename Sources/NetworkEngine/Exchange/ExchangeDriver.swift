/// Moves the bytes of one exchange.
package protocol ExchangeDriver: AnyObject, Sendable {
    var exchange: Exchange { get }
    /// Asks for a permit and starts. Called once, unless the exchange was aborted before.
    func start()
    /// The exchange was aborted, and its connection, permit or place in the queue is released. Never waits.
    func stop()
    /// The reader of a streamed body has room again.
    func continueReceiving()
}

extension ExchangeDriver {
    /// The head of a response arrived.
    package func receive(_ head: ResponseHead) -> Exchange.Instruction {
        exchange.receive(head) {
            StreamBuffer.Source(
                onRoom: { self.continueReceiving() }, onAbandoned: { self.abort(.cancelled) })
        }
    }

    /// Ends the exchange from outside of its driver.
    package func abort(_ reason: AbortReason) {
        guard let completion = exchange.abort(reason) else { return }
        // The driver hears of it first, so that the next request of the caller finds the permit.
        stop()
        completion.run()
    }
}

extension Exchange {
    /// Where the driver keeps the exchange.
    package struct Position: Sendable {
        /// The permit that the exchange waits for, or has waited for.
        package var permit: Permit?
        /// The event loop that runs the exchange.
        package var loop: Int?
        /// The place in that loop.
        package var slot: Int?
    }

    /// Runs the exchange, and returns its response.
    ///
    /// A canceled task returns at once, whatever the platform still does.
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
