import CLibcurl
import NetworkEngine

/// What libcurl measured of a transfer, in microseconds since it began.
struct CurlTiming: Sendable {
    var resolved: Int64 = 0
    var connected: Int64 = 0
    var secured: Int64 = 0
    var sending: Int64 = 0
    var firstByte: Int64 = 0
    var total: Int64 = 0
    var newConnections = 0

    init() {}

    init(of easy: OpaquePointer) {
        newConnections = lc_number(easy, Int32(LC_INFO_NUM_CONNECTS))
        firstByte = lc_large(easy, Int32(LC_INFO_STARTTRANSFER_TIME_T))
        total = lc_large(easy, Int32(LC_INFO_TOTAL_TIME_T))
        sending = lc_large(easy, Int32(LC_INFO_PRETRANSFER_TIME_T))
        guard newConnections > 0 else { return }
        resolved = lc_large(easy, Int32(LC_INFO_NAMELOOKUP_TIME_T))
        connected = lc_large(easy, Int32(LC_INFO_CONNECT_TIME_T))
        secured = lc_large(easy, Int32(LC_INFO_APPCONNECT_TIME_T))
    }

    func metrics(queued: Duration?, sent: Int64, received: Int64) -> ExchangeMetrics {
        var metrics = ExchangeMetrics(
            queued: queued,
            firstByte: .microseconds(firstByte),
            total: .microseconds(total),
            bytesSent: sent,
            bytesReceived: received,
            isConnectionReused: newConnections == 0
        )
        guard newConnections > 0 else { return metrics }
        metrics.nameLookup = .microseconds(resolved)
        metrics.connecting = .microseconds(max(0, connected - resolved))
        if secured > 0 { metrics.securing = .microseconds(max(0, secured - connected)) }
        return metrics
    }
}
