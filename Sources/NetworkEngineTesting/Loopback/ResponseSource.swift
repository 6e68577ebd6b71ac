import NetworkEngine

/// The source of a server's responses: the queue first, then the handler.
final class ResponseSource: Sendable {
    enum Handler: Sendable {
        case none
        case immediate(@Sendable (LoopbackRequest) -> LoopbackResponse)
        case suspending(@Sendable @concurrent (LoopbackRequest) async -> LoopbackResponse)
    }

    let handler: Handler
    private let early: (@Sendable (LoopbackRequest) -> LoopbackResponse?)?
    private let queue = Locked([LoopbackResponse]())

    init(_ handler: Handler, early: (@Sendable (LoopbackRequest) -> LoopbackResponse?)?) {
        self.handler = handler
        self.early = early
    }

    var queued: Int { queue.withLock { $0.count } }

    func enqueue(_ responses: [LoopbackResponse]) {
        queue.withLock { $0 += responses }
    }

    /// Takes the next queued response if its first incident is at this point or earlier.
    func next(reaching point: LoopbackPoint) -> LoopbackResponse? {
        queue.withLock { queue in
            guard let first = queue.first?.incidents.first, first.point <= point else { return nil }
            return queue.removeFirst()
        }
    }

    /// Returns the response that is available after the request head: from the queue or the early handler.
    func next(for request: LoopbackRequest) -> LoopbackResponse? {
        queue.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? early?(request)
    }

    static func noResponse(for request: LoopbackRequest) -> LoopbackResponse {
        .text("No answer is queued and no handler is set for \(request.method) \(request.target).\n", status: 404)
    }
}
