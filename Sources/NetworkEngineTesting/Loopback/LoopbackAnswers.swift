import NetworkEngine

/// Where a server's responses come from: the queue first, then the handler.
final class LoopbackAnswers: Sendable {
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

    /// The next response of the queue, provided that it wants something at a moment no later than this.
    func next(reaching point: LoopbackPoint) -> LoopbackResponse? {
        queue.withLock { queue in
            guard let first = queue.first?.incidents.first, first.point <= point else { return nil }
            return queue.removeFirst()
        }
    }

    /// What is known as soon as the head has come: the next response of the queue, or what the early handler says.
    func next(for request: LoopbackRequest) -> LoopbackResponse? {
        queue.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? early?(request)
    }

    static func nothingPlanned(for request: LoopbackRequest) -> LoopbackResponse {
        .text("No answer is queued and no handler is set for \(request.method) \(request.target).\n", status: 404)
    }
}
