import Foundation
import NetworkEngine

extension HAREntry {
    /// The entry for a recorded exchange.
    ///
    /// - Parameter request: the exchange's request without secrets.
    init(_ exchange: RecordedExchange, of call: RecordedCall, request: HTTPRequest) {
        self.init(request: HARRequest(request), response: HARResponse(exchange))
        let version = exchange.connection?.networkProtocol.map(Self.version) ?? "unknown"
        self.request.httpVersion = version
        self.request.setBody(exchange.requestBody, type: request.headers["Content-Type"])
        response.httpVersion = version
        startedDateTime = Self.text(call.date(of: exchange))
        setTimings(
            exchange.metrics, queued: exchange.admitted.map { $0 - exchange.start },
            responded: exchange.responded.map { $0 - exchange.start }, whole: exchange.end.map { $0 - exchange.start })
        serverIPAddress = exchange.connection?.remoteAddress
        (_call, _attempt, _cache) = (call.id.rawValue, exchange.attempt, exchange.cache?.outcome.rawValue)
        comment = exchange.cache.flatMap { $0.status.isEmpty ? nil : "Cache-Status: \($0.status)" }
        if exchange.end == nil { comment = "The exchange has not ended." }
    }

    private static func text(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    /// The name of a protocol version in messages: `HTTP/1.1` for `http/1.1`.
    private static func version(_ networkProtocol: String) -> String {
        switch networkProtocol {
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        default: networkProtocol.uppercased()
        }
    }
}

extension HARRequest {
    fileprivate mutating func setBody(_ body: RecordedBody?, type: String?) {
        guard let body else { return }
        if postData == nil { postData = Body(mimeType: type ?? "", HARText(Data())) }
        postData?.comment = body.note
        bodySize = body.length.map { Int(clamping: $0) } ?? -1
    }
}

extension HARResponse {
    fileprivate init(_ exchange: RecordedExchange) {
        let response = exchange.response
        let body = response?.body
        self.init(
            statusCode: response?.statusCode ?? 0, headers: response?.headers ?? [:], trailers: response?.trailers,
            body: body?.data ?? Data())
        content.comment = body?.note
        content.size = body?.length.map { Int(clamping: $0) } ?? content.size
        bodySize = body?.length == nil && body?.note != nil ? -1 : content.size
        if let failure = exchange.failure {
            (_error, comment) = (failure.isCanceled ? "canceled" : failure.failure?.word ?? "unknown", failure.text)
        }
    }
}
