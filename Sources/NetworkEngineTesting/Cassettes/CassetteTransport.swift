public import NetworkEngine

/// A transport that plays a cassette, and records through another transport.
///
/// Each hop of a redirect is a separate exchange. When the engine times out an attempt, a timeout is recorded if the
/// underlying transport stops when interrupted, as URLSession's does. With other transports the timeout looks like a
/// cancellation, which is not recorded.
public struct CassetteTransport: Transport {
    private let cassette: Cassette
    private let live: any Transport

    public init(_ cassette: Cassette, over live: any Transport = NetworkConfiguration().transport) {
        self.cassette = cassette
        self.live = live
    }

    public var capabilities: TransportCapabilities {
        live.capabilities.intersection(.stopsWhenInterrupted).union(.reportsAdmission)
    }

    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let hand = InterruptionWatch(passingOnTo: context)
        let response = try await CassetteExchange(cassette: cassette).run(
            request,
            played: context.admitted,
            failure: { hand.wasInterrupted ? .timeout(.attempt) : ($0 as? NetworkError)?.transportFailure },
            send: { request in
                if !live.capabilities.contains(.reportsAdmission) { context.admitted() }
                return try await live.send(request, context: context.relayed(by: hand))
            }
        )
        guard case .file = context.destination, case .data(let body) = response.body else { return response }
        var saved = response
        saved.body = try context.deliver(body, of: request)
        return saved
    }
}

/// Forwards the engine's signals to an exchange, and remembers an interruption.
private struct InterruptionWatch: ExchangeHand {
    private let context: TransportContext
    private let state = Locked(false)

    init(passingOnTo context: TransportContext) { self.context = context }

    var wasInterrupted: Bool { state.withLock { $0 } }

    func startTime() { context.admitted() }

    func bytesMoved() { context.reportActivity() }

    func onInterruption(_ action: @escaping @Sendable () -> Void) {
        context.onInterruption { [state] in
            state.withLock { $0 = true }
            action()
        }
    }
}
