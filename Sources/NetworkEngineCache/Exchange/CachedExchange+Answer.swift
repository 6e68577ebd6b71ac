import Foundation
import NetworkEngine

extension CachedExchange {
    /// The answer from a stored response; `nil` if its body is damaged, or if it has been removed.
    ///
    /// - Parameter confirmation: the server's response that confirmed the stored one.
    func answer(
        _ use: CacheUse,
        from entry: CacheEntry,
        confirmedBy confirmation: HTTPResponse? = nil
    ) async throws -> HTTPResponse? {
        guard ticket?.isValid == true else { return nil }
        let stored = entry.response
        let now = cache.now()
        guard let body = try body(entry, stored.bodyRange(of: use.answer)) else { return nil }
        var head = stored.head(of: use.answer, now: now)
        if let confirmation {
            head.headers["Authentication-Info"] = confirmation.headers["Authentication-Info"]
            // The stored response's cookies were set before.
            head.headers["Set-Cookie"] = nil
            for cookie in confirmation.headers.values(for: "Set-Cookie") { head.headers.add(cookie, for: "Set-Cookie") }
        } else if head.headers.contains("Set-Cookie"), !stored.variant.hasCookies(of: request) {
            head.headers["Set-Cookie"] = nil
        }
        var response = HTTPResponse(statusCode: head.statusCode, headers: head.headers, body: body, request: request)
        response.source = confirmation == nil ? .cache : .revalidated
        let outcome: NetworkEvent.CacheAnswer.Outcome = use.isStale ? .stale : .hit
        note(confirmation == nil ? outcome : .revalidated, status(of: stored, now, isConfirmed: confirmation != nil))
        return response
    }

    /// Whether the caller reads the body as it arrives, or it is written to a file.
    var wantsStream: Bool { context.isStreaming || context.call.options.files != nil }

    private func body(_ entry: CacheEntry, _ range: Range<Int64>) throws -> ResponseBody? {
        guard entry.body.length == entry.response.bodyLength else { return nil }
        if request.method == .head || range.isEmpty { return .data(Data()) }
        if wantsStream, (200..<300).contains(entry.response.statusCode) {
            return (try? entry.body.isIntact()) == true ? .stream(entry.body.stream(range)) : nil
        }
        let limit = context.call.options.transport.limits.bodyInMemory
        guard range.count <= limit else {
            throw NetworkError(
                .limitExceeded, reason: "the stored body is larger than the limit of \(limit) bytes", request: request)
        }
        guard let data = try? entry.body.intactBytes(range) else { return nil }
        context.call.options.transport.progress?(
            TransferProgress(
                direction: .receiving, completed: Int64(data.count), total: Int64(data.count), attempt: context.attempt)
        )
        return .data(data)
    }

    private func status(of stored: StoredResponse, _ now: Date, isConfirmed: Bool) -> CacheStatus {
        var status = CacheStatus(hit: Freshness(of: stored, at: now))
        if isConfirmed { (status.forward, status.forwardStatus) = (.stale, 304) }
        return status
    }
}
