package import NetworkEngine

extension HAREntry {
    /// Sets the start time and the duration.
    package mutating func setTime(startedAt start: String, metrics: ExchangeMetrics?) {
        startedDateTime = start
        setTimings(metrics, queued: nil, responded: nil, whole: nil)
    }

    /// Sets the phases, which add up to the total time. Time outside any phase counts as time before the connection.
    ///
    /// If the sending time is unknown, it is 0 and counted as waiting, because the format cannot express an unknown
    /// time there.
    ///
    /// - Parameters:
    ///   - queued: the time until admission, unless the metrics contain it.
    ///   - responded: the time until the response head, unless the metrics contain the time until the first byte.
    ///   - whole: the time including queueing; `nil` to use the metrics.
    mutating func setTimings(
        _ metrics: ExchangeMetrics?, queued: Duration?, responded: Duration?, whole: Duration?
    ) {
        let queued = Self.microseconds(metrics?.queued ?? queued)
        let whole = Self.microseconds(whole) ?? 0
        let dns = Self.microseconds(metrics?.domainLookup)
        let ssl = Self.microseconds(metrics?.tlsHandshake)
        let connect = Self.microseconds(metrics?.connecting).map { $0 + (ssl ?? 0) }
        let responded = Self.microseconds(responded)
        let total = Self.microseconds(metrics?.total) ?? max(0, whole - (queued ?? 0))
        let firstByte = Self.microseconds(metrics?.firstByte) ?? responded.map { max(0, $0 - (queued ?? 0)) } ?? total
        let connected = (dns ?? 0) + (connect ?? 0)
        let answered = max(connected, min(firstByte, total))
        // A server can respond before it has read the whole request.
        let sent = Self.microseconds(metrics?.requestSent).map { min(max(connected, $0), answered) } ?? connected
        let receive = max(0, total - firstByte)
        let known = answered + receive
        let blocked = max(queued ?? 0, whole - known)
        let milliseconds = { (time: Int64?) in time.map { Double($0) / 1_000 } ?? -1 }
        time = milliseconds(known + blocked)
        timings = Timings(
            blocked: milliseconds(blocked > 0 ? blocked : queued), dns: milliseconds(dns),
            connect: milliseconds(connect), ssl: milliseconds(connect == nil ? nil : ssl),
            send: milliseconds(sent - connected), wait: milliseconds(answered - sent), receive: milliseconds(receive))
    }

    private static func microseconds(_ time: Duration?) -> Int64? {
        time.map { max(0, Int64(($0 / .microseconds(1)).rounded())) }
    }
}
