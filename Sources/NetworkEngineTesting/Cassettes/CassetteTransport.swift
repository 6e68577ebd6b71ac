public import NetworkEngine

/// A transport that plays a cassette, and sends requests to record through another transport.
///
/// Each redirect hop is a separate exchange. An exchange that exceeds its timeout or deadline is recorded as a timeout.
public struct CassetteTransport: TransportDriver {
    private let cassette: Cassette
    private let live: any TransportDriver

    /// Creates a transport that plays a cassette.
    ///
    /// - Parameter live: sends the requests to record; the standard transport by default.
    public init(_ cassette: Cassette, over live: any Transport = NetworkConfiguration().transport) {
        self.cassette = cassette
        self.live = live as? any TransportDriver ?? TransportAdapter(live)
    }

    package var identity: ObjectIdentifier? { nil }

    public func validate() throws(NetworkError) { try live.validate() }

    /// Returns the recorded response. A request without one is sent and recorded, or fails if the cassette only plays.
    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let isInterrupted = Locked(false)
        let work = Task {
            try await CassetteExchange(cassette: cassette).run(
                request,
                played: context.admitted,
                failure: { error in
                    let wasInterrupted = isInterrupted.withLock { $0 }
                    return wasInterrupted ? .timeout(.attempt) : (error as? NetworkError)?.transportFailure
                },
                send: { request in try await live.send(request, context: context) }
            )
        }
        context.onInterruption {
            isInterrupted.withLock { $0 = true }
            work.cancel()
        }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
