import NetworkEngine

/// Where a server's responses come from: the queue first, then the handler.
final class LoopbackAnswers: Sendable {
    enum Handler: Sendable {
        case none
        case immediate(@Sendable (LoopbackRequest) -> LoopbackResponse)
        case suspending(@Sendable (LoopbackRequest) async -> LoopbackResponse)
    }

    let handler: Handler
    private let queue = Locked([LoopbackResponse]())

    init(_ handler: Handler) { self.handler = handler }

    var queued: Int { queue.withLock { $0.count } }

    func enqueue(_ responses: [LoopbackResponse]) {
        queue.withLock { $0 += responses }
    }

    /// The next response, provided that it wants something at a moment no later than this.
    func next(reaching point: LoopbackPoint) -> LoopbackResponse? {
        queue.withLock { queue in
            guard let first = queue.first?.incidents.first, first.point <= point else { return nil }
            return queue.removeFirst()
        }
    }

    func next() -> LoopbackResponse? {
        queue.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    static func nothingPlanned(for request: LoopbackRequest) -> LoopbackResponse {
        .text("No answer is queued and no handler is set for \(request.method) \(request.target).\n", status: 404)
    }
}
