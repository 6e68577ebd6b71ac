import CLibcurl
import NetworkEngine

extension ExchangeMetrics {
    /// Reads libcurl's measurements of a transfer.
    init(of easy: OpaquePointer) {
        let connections = lc_number(easy, Int32(LC_INFO_NUM_CONNECTS))
        self.init(
            firstByte: .measured(LC_INFO_STARTTRANSFER_TIME_T, of: easy),
            total: .measured(LC_INFO_TOTAL_TIME_T, of: easy),
            isConnectionReused: connections == 0
        )
        guard connections > 0 else { return }
        let resolved = Duration.measured(LC_INFO_NAMELOOKUP_TIME_T, of: easy)
        let connected = Duration.measured(LC_INFO_CONNECT_TIME_T, of: easy)
        let secured = Duration.measured(LC_INFO_APPCONNECT_TIME_T, of: easy)
        nameLookup = resolved
        connecting = max(.zero, connected - resolved)
        if secured > .zero { securing = max(.zero, secured - connected) }
    }
}

extension Duration {
    /// A time since the transfer began.
    fileprivate static func measured(_ info: Int, of easy: OpaquePointer) -> Duration {
        .microseconds(lc_large(easy, Int32(info)))
    }
}
