import CLibcurl
import NetworkEngine

/// The handle that holds a socket's connection, and libcurl's message about its failure.
final class CurlSocketHandle {
    let easy: OpaquePointer
    private var resolution = CurlHeaderList()
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: LC_ERROR_SIZE)
    private let opener = UnsafeMutablePointer<LCOpener>.allocate(capacity: 1)

    /// - Returns: `nil` if there is not enough memory.
    init?() {
        words.initialize(repeating: 0, count: LC_ERROR_SIZE)
        opener.initialize(to: LCOpener())
        guard let easy = lc_easy_create() else {
            words.deallocate()
            opener.deallocate()
            return nil
        }
        self.easy = easy
    }

    deinit {
        lc_easy_destroy(easy)
        words.deallocate()
        opener.deallocate()
    }

    /// Sets the options of a connection without a transfer.
    func apply(_ base: CurlSharedOptions, for socket: CurlSocket) -> NetworkError? {
        let fault = base.apply(to: easy, host: socket.request.host, isForeign: socket.isForeign)
        if case .unsupported(let reason)? = fault { return .unsupported(reason) }
        var options = CurlOptionSetter(easy)
        options.set(LC_OPT_URL, socket.request.url)
        options.set(LC_OPT_CONNECT_ONLY, 1)
        // Such a connection is never reused. If reuse is also forbidden, libcurl closes the connection once it is open.
        options.set(LC_OPT_FORBID_REUSE, 0)
        options.set(LC_OPT_HTTP_VERSION, LC_HTTP_1_1)
        // A proxy must pass on bytes that are not HTTP.
        options.set(LC_OPT_HTTPPROXYTUNNEL, 1)
        if case .unsupported(let reason)? = options.fault { return .unsupported(reason) }
        resolution.set(socket.request.resolution)
        if base.resolves { _ = lc_set_pointer(easy, Int32(LC_OPT_RESOLVE), resolution.first) }
        _ = lc_set_pointer(easy, Int32(LC_OPT_ERRORBUFFER), words)
        lc_opener_attach(opener, easy)
        return nil
    }

    /// Clears libcurl's message about connecting, which would otherwise describe a later failure.
    func forgetWords() { words[0] = 0 }

    /// The failure of an attempt to connect; `nil` for an open connection to a server with the right certificate.
    func failure(
        _ code: Int32,
        _ descriptor: Int32,
        _ base: CurlSharedOptions,
        for socket: CurlSocket
    ) -> NetworkError? {
        if opener.pointee.explains(code) { return .lacksDescriptors }
        if code != 0 {
            let place = base.unreachablePlace(code: code, message: message(for: code), for: socket.request)
            let cause = lc_number(easy, Int32(LC_INFO_OS_ERRNO))
            return failure(code, reason: place?.reason(code: code, cause: cause), hasHead: false)
        }
        guard descriptor >= 0 else { return NetworkError(.connect, reason: "libcurl reports no connection") }
        let pins = socket.request.isTLS ? base.security.certificatePins(for: socket.request.host) : []
        guard pins.isEmpty || base.security.serverCertificate(of: easy, hasOneOf: pins) else {
            return NetworkError(
                .tlsCertificate(.pinMismatch), reason: "the server's certificate matches none of the pins")
        }
        return nil
    }

    /// The failure of an open connection.
    func failure(_ code: Int32, reason: String? = nil, hasHead: Bool = true) -> NetworkError {
        CurlFailure.error(
            code: code,
            message: message(for: code),
            certificate: CurlSecurity.certificateFault(of: easy),
            reason: reason,
            hasHead: hasHead
        )
    }

    private func message(for code: Int32) -> String {
        let own = String(cString: words)
        return own.isEmpty ? String(cString: lc_error_text(code)) : own
    }
}
