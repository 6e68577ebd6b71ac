import Foundation
import NetworkEngine

/// One request on its way in, and what is to be answered.
struct LoopbackExchange {
    let head: RequestHead
    var request: LoopbackRequest
    var response: LoopbackResponse?
    /// Whether the request was read to its end.
    private(set) var isRead = false
    /// Whether the expectation of `100 Continue` was dealt with.
    var isContinued = false
    private let place: Int?
    private var isLogged = false

    init(_ head: RequestHead, connection: Int, exchange: Int, response: LoopbackResponse?, log: LoopbackLog) {
        self.head = head
        self.response = response
        request = LoopbackRequest(head, connection: connection, exchange: exchange)
        if head.framing == .none { request.isComplete = true }
        place = log.begin(request)
    }

    /// Adds a piece of the body.
    mutating func receive(_ bytes: [UInt8], limit: Int, log: LoopbackLog) {
        request.bodyCount += bytes.count
        request.body.append(contentsOf: bytes.prefix(max(0, limit - request.body.count)))
        log.change { $0.bodyByteCount += bytes.count }
    }

    /// Notes that all was read.
    mutating func end(_ trailers: HTTPHeaders, log: LoopbackLog) {
        request.trailers = trailers
        request.isComplete = true
        isRead = true
        settle(log: log)
    }

    /// Writes down how far the request came, once.
    mutating func settle(log: LoopbackLog) {
        guard !isLogged else { return }
        isLogged = true
        log.finish(request, at: place)
    }
}
