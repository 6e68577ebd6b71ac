import CLibcurl
import NetworkEngine

extension CurlSlot {
    var metrics: ExchangeMetrics {
        let uploaded = uploading.map { max(.zero, $0.last - $0.start) }
        var metrics = ExchangeMetrics(of: easy, isSecure: task?.request.isTLS == true, uploaded: uploaded)
        metrics.resends = max(0, route.sendings + sendings - 1)
        return metrics
    }

    /// The measurements of an exchange that failed on its connection, if it is observed.
    var measuredFailure: ExchangeMetrics? {
        task?.exchange.context.observation?.isConnected == true ? metrics : nil
    }

    /// Reports the connection to the observers.
    func reportConnection() {
        guard let task, let observation = task.exchange.context.observation else { return }
        observation.connected(NetworkEvent.Connection(of: easy, isSecure: task.request.isTLS))
    }
}

extension ExchangeMetrics {
    /// Reads libcurl's measurements for a transfer.
    ///
    /// - Parameter uploaded: when the last byte of a body was sent; `nil` without a body.
    fileprivate init(of easy: OpaquePointer, isSecure: Bool, uploaded: Duration?) {
        let connections = lc_number(easy, Int32(LC_INFO_NUM_CONNECTS))
        let connection = NetworkEvent.Connection(of: easy, isSecure: isSecure)
        self.init(
            firstByte: .measured(LC_INFO_STARTTRANSFER_TIME_T, of: easy),
            total: .measured(LC_INFO_TOTAL_TIME_T, of: easy),
            isConnectionReused: connections == 0,
            requestSent: uploaded ?? .measured(LC_INFO_PRETRANSFER_TIME_T, of: easy),
            networkProtocol: connection.networkProtocol,
            remoteAddress: connection.remoteAddress,
            remotePort: connection.remotePort,
            isSecure: isSecure
        )
        guard connections > 0 else { return }
        let resolved = Duration.measured(LC_INFO_NAMELOOKUP_TIME_T, of: easy)
        let connected = Duration.measured(LC_INFO_CONNECT_TIME_T, of: easy)
        let secured = Duration.measured(LC_INFO_APPCONNECT_TIME_T, of: easy)
        domainLookup = resolved
        connecting = max(.zero, connected - resolved)
        if secured > .zero { tlsHandshake = max(.zero, secured - connected) }
    }
}

extension NetworkEvent.Connection {
    /// A transfer's connection. Its protocol is known as soon as a response has begun.
    fileprivate init(of easy: OpaquePointer, isSecure: Bool) {
        let address = lc_text(easy, Int32(LC_INFO_PRIMARY_IP)).map { String(cString: $0) } ?? ""
        let port = lc_number(easy, Int32(LC_INFO_PRIMARY_PORT))
        self.init(
            isReused: lc_number(easy, Int32(LC_INFO_NUM_CONNECTS)) == 0,
            remoteAddress: address.isEmpty ? nil : address,
            remotePort: port > 0 ? port : nil,
            networkProtocol: Self.name(version: lc_number(easy, Int32(LC_INFO_HTTP_VERSION))),
            isSecure: isSecure
        )
    }

    private static func name(version: Int) -> String? {
        switch version {
        case 1: "http/1.0"
        case 2: "http/1.1"
        case 3: "h2"
        case 30: "h3"
        default: nil
        }
    }
}

extension Duration {
    /// A time since the transfer began.
    fileprivate static func measured(_ info: Int, of easy: OpaquePointer) -> Duration {
        .microseconds(lc_large(easy, Int32(info)))
    }
}
