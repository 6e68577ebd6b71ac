import Foundation
import NetworkEngine

/// One request on its way in.
struct LoopbackExchange {
    let head: RequestHead
    private(set) var request: LoopbackRequest
    /// Whether the request was read to its end.
    private(set) var isRead = false
    private let place: Int?
    private var isSettled = false

    init(_ head: RequestHead, connection: Int, number: Int, log: LoopbackLog) {
        self.head = head
        request = LoopbackRequest(head, connection: connection, exchange: number)
        place = log.begin(request)
    }

    /// Adds a piece of the body.
    mutating func receive(_ bytes: [UInt8], _ services: LoopbackServices) {
        request.receive(bytes, limit: services.configuration.bodyRecordingLimit)
        services.log.change { $0.bodyByteCount += bytes.count }
    }

    /// Notes that all was read.
    mutating func end(_ trailers: HTTPHeaders) {
        request.end(trailers)
        isRead = true
    }

    /// Writes down how far the request came, once.
    mutating func settle(log: LoopbackLog) {
        guard !isSettled else { return }
        isSettled = true
        log.finish(request, at: place)
    }
}
