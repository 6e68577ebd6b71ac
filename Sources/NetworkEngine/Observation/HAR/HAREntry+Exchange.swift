import Foundation

extension HAREntry {
    /// The entry of a recorded exchange.
    ///
    /// - Parameter request: the request of the exchange without secrets.
    init(_ exchange: RecordedExchange, of call: RecordedCall, request: HTTPRequest) {
        self.init(request: HARRequest(request), response: HARResponse(exchange))
        let version = exchange.connection?.networkProtocol.map(Self.version) ?? "unknown"
        self.request.httpVersion = version
        self.request.setBody(exchange.requestBody, type: request.headers["Content-Type"])
        response.httpVersion = version
        startedDateTime = Self.text(call.start.date, after: exchange.start)
        setTimings(of: exchange)
        serverIPAddress = exchange.connection?.remoteAddress
        (_call, _attempt, _cache) = (call.id.rawValue, exchange.attempt, exchange.cache?.outcome.rawValue)
        comment = exchange.cache.flatMap { $0.status.isEmpty ? nil : "Cache-Status: \($0.status)" }
        if exchange.end == nil { comment = "The exchange has not ended." }
    }

    private static func text(_ date: Date, after time: Duration) -> String {
        let date = date.addingTimeInterval(time / .seconds(1))
        return Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    /// The name of a protocol in messages: `HTTP/1.1` for `http/1.1`.
    private static func version(_ networkProtocol: String) -> String {
        switch networkProtocol {
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        default: networkProtocol.uppercased()
        }
    }

    /// Sets the phases, which add up to the whole time. What no phase explains is time before the connection.
    private mutating func setTimings(of exchange: RecordedExchange) {
        let metrics = exchange.metrics
        let whole = Self.microseconds(exchange.end.map { $0 - exchange.start }) ?? 0
        let queued = Self.microseconds(metrics?.queued ?? exchange.admitted.map { $0 - exchange.start })
        let dns = Self.microseconds(metrics?.nameLookup)
        let ssl = Self.microseconds(metrics?.securing)
        let connect = Self.microseconds(metrics?.connecting).map { $0 + (ssl ?? 0) }
        let responded = Self.microseconds(exchange.responded.map { $0 - exchange.start })
        let total = Self.microseconds(metrics?.total) ?? max(0, whole - (queued ?? 0))
        let firstByte = Self.microseconds(metrics?.firstByte) ?? responded.map { max(0, $0 - (queued ?? 0)) } ?? total
        let wait = max(0, min(firstByte, total) - (dns ?? 0) - (connect ?? 0))
        let receive = max(0, total - firstByte)
        let known = (dns ?? 0) + (connect ?? 0) + wait + receive
        let blocked = max(queued ?? 0, whole - known)
        let milliseconds = { (time: Int64?) in time.map { Double($0) / 1_000 } ?? -1 }
        time = milliseconds(known + blocked)
        timings = Timings(
            blocked: milliseconds(blocked > 0 ? blocked : queued), dns: milliseconds(dns),
            connect: milliseconds(connect), ssl: milliseconds(connect == nil ? nil : ssl), send: 0,
            wait: milliseconds(wait), receive: milliseconds(receive))
    }

    private static func microseconds(_ time: Duration?) -> Int64? {
        time.map { max(0, Int64(($0 / .microseconds(1)).rounded())) }
    }
}

extension HARRequest {
    fileprivate mutating func setBody(_ body: RecordedBody?, type: String?) {
        guard let body else { return }
        if postData == nil { postData = Body(mimeType: type ?? "", HARText(Data())) }
        postData?.comment = body.note
        bodySize = body.length.map { Int($0) } ?? -1
    }
}

extension HARResponse {
    fileprivate init(_ exchange: RecordedExchange) {
        let response = exchange.response
        let body = response?.body
        self.init(
            statusCode: response?.statusCode ?? 0, headers: response?.headers ?? [:], body: body?.data ?? Data())
        content.comment = body?.note
        content.size = body?.length.map { Int($0) } ?? content.size
        bodySize = body?.length == nil && body?.note != nil ? -1 : content.size
        if let failure = exchange.failure {
            (_error, comment) = (failure.isCanceled ? "canceled" : failure.failure?.word ?? "unknown", failure.text)
        }
    }
}
