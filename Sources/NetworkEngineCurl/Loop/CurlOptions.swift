import CLibcurl
import NetworkEngine

/// The way that an exchange takes to its server.
struct CurlRoute {
    /// The multi handle.
    var kind: LCMultiKind
    /// Whether the exchange needs a connection that no other has used.
    var isFresh = false
}

/// The options of an easy handle: those that all exchanges of a transport share, and those of each.
final class CurlOptions {
    private(set) var easy: OpaquePointer
    private let base: CurlSharedOptions
    private let callbacks: CurlCallbacks
    private let system: OpaquePointer
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: LC_ERROR_SIZE)
    private let refusal = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private var lines = CurlHeaderList()
    /// Whether the options stand as for a GET without a body, so that little has to be set for another.
    private var isPlain = false

    /// Has every option set anew for the next exchange. libcurl counts how often it had to send again, and after five
    /// times in the life of a handle gives up, unless it is reset.
    func expire() { isPlain = false }

    /// Has the connection closed after the exchange that is running.
    func forbidReuse() {
        _ = lc_set_number(easy, Int32(LC_OPT_FORBID_REUSE), 1)
        expire()
    }

    /// Takes a handle of its own.
    init(_ easy: OpaquePointer, base: CurlSharedOptions, callbacks: CurlCallbacks, system: OpaquePointer) {
        self.easy = easy
        self.base = base
        self.callbacks = callbacks
        self.system = system
        words.initialize(repeating: 0, count: LC_ERROR_SIZE)
        refusal.initialize(to: 0)
    }

    deinit {
        lc_easy_destroy(easy)
        words.deallocate()
        refusal.deallocate()
    }

    /// Puts a new handle in the place of the old one, which keeps bytes or pointers of its last exchange.
    ///
    /// - Returns: whether there was memory for it.
    func renewHandle() -> Bool {
        guard let new = lc_easy_create() else { return false }
        lc_easy_destroy(easy)
        easy = new
        expire()
        return true
    }

    /// Whether libcurl has said what a text says.
    func message(contains text: String) -> Bool { String(cString: words).contains(text) }

    /// Whether the server has said that it has processed nothing of the request. Noted for methods that are not idempotent.
    /// Of a connection that was used before, older versions of libcurl do not tell.
    var wasRefused: Bool { refusal.pointee != 0 }

    /// Notes the next refusal only.
    func forgetRefusal() { refusal.pointee = 0 }

    // MARK: Connections

    /// The open connection between two addresses.
    func connection(
        _ local: UnsafePointer<CChar>?,
        _ localPort: Int32,
        _ remote: UnsafePointer<CChar>?,
        _ remotePort: Int32
    ) -> LCConnection {
        lc_loop_connection(system, local, localPort, remote, remotePort)
    }

    /// Counts an exchange in on a connection, unless that cannot take its request.
    func enter(_ connection: inout LCConnection, _ number: Int) -> LCEntry {
        lc_loop_enter(system, &connection, Int32(truncatingIfNeeded: number))
    }

    /// How many bytes of a connection are still on their way; `nil` where that is not known.
    func unacknowledged(on connection: LCConnection) -> Int32? {
        let count = lc_loop_unacknowledged(system, connection)
        return count < 0 ? nil : count
    }

    func leave(_ connection: LCConnection) { lc_loop_leave(system, connection) }

    func notePause(on connection: LCConnection) { lc_loop_note_pause(system, connection) }

    /// Notes the version of a response.
    ///
    /// - Returns: whether it belongs to the exchange that has the connection.
    func note(isVersion1: Bool, on connection: LCConnection) -> Bool {
        lc_loop_note_version(system, connection, isVersion1 ? LC_VERSION_1 : LC_VERSION_2) != 0
    }

    // MARK: Options

    /// The pins that are to be compared before a request to its host is sent.
    func certificatePins(for wire: CurlRequest) -> [TLSPolicy.Pin] {
        wire.isTLS ? base.security.certificatePins(for: wire.host) : []
    }

    func hasCertificate(with pins: [TLSPolicy.Pin]) -> Bool {
        base.security.serverCertificate(of: easy, hasOneOf: pins)
    }

    /// libcurl's words about a failure.
    func message(for code: Int32) -> String {
        let own = String(cString: words)
        return own.isEmpty ? String(cString: lc_error_text(code)) : own
    }

    /// Sets what an exchange needs.
    ///
    /// - Parameter context: what the callbacks get.
    func apply(_ task: CurlTask, _ route: CurlRoute, context: UnsafeMutableRawPointer) -> AbortReason? {
        let (request, wire, upload) = (task.exchange.request, task.request, task.upload)
        words[0] = 0
        forgetRefusal()
        let becomesPlain = request.method == .get && upload == nil && base.keepsOptions && !route.isFresh
        if !isPlain || !becomesPlain {
            lc_easy_reset(easy)
            let isForeign = request.marks?.isForeign == true
            if let fault = base.apply(to: easy, host: wire.host, isForeign: isForeign) { return fault }
            attach(context)
        }
        isPlain = becomesPlain
        _ = wire.url.withCString { lc_set_text(easy, Int32(LC_OPT_URL), $0) }
        let version = route.kind == LC_MULTI_SHARING ? LC_HTTP_2_OVER_TLS : LC_HTTP_1_1
        _ = lc_set_number(easy, Int32(LC_OPT_HTTP_VERSION), version)
        lines.set(wire.lines)
        _ = lc_set_pointer(easy, Int32(LC_OPT_HTTPHEADER), lines.first)
        if !becomesPlain { setMethod(request.method, upload: upload) }
        if route.kind == LC_MULTI_SHARING, !request.method.isIdempotent { _ = lc_watch_refusals(easy, refusal) }
        if route.isFresh { _ = lc_set_number(easy, Int32(LC_OPT_FRESH_CONNECT), 1) }
        return nil
    }

    private func attach(_ context: UnsafeMutableRawPointer) {
        lc_loop_attach(system, easy)
        _ = lc_set_pointer(easy, Int32(LC_OPT_ERRORBUFFER), words)
        _ = lc_set_pointer(easy, Int32(LC_OPT_PRIVATE), context)
        _ = lc_set_data_callback(easy, Int32(LC_OPT_HEADERFUNCTION), callbacks.header)
        _ = lc_set_pointer(easy, Int32(LC_OPT_HEADERDATA), context)
        _ = lc_set_data_callback(easy, Int32(LC_OPT_WRITEFUNCTION), callbacks.write)
        _ = lc_set_pointer(easy, Int32(LC_OPT_WRITEDATA), context)
        _ = lc_set_data_callback(easy, Int32(LC_OPT_READFUNCTION), callbacks.read)
        _ = lc_set_pointer(easy, Int32(LC_OPT_READDATA), context)
        _ = lc_set_seek_callback(easy, Int32(LC_OPT_SEEKFUNCTION), callbacks.seek)
        _ = lc_set_pointer(easy, Int32(LC_OPT_SEEKDATA), context)
        guard base.announcesRequests else { return }
        _ = lc_set_prereq_callback(easy, Int32(LC_OPT_PREREQFUNCTION), callbacks.prereq)
        _ = lc_set_pointer(easy, Int32(LC_OPT_PREREQDATA), context)
    }

    private func setMethod(_ method: HTTPMethod, upload: CurlUpload?) {
        if let upload {
            // Sent in chunks, then.
            let unknownLength: Int64 = -1
            _ = lc_set_number(easy, Int32(LC_OPT_UPLOAD), 1)
            _ = lc_set_large(easy, Int32(LC_OPT_INFILESIZE_LARGE), upload.announcedLength ?? unknownLength)
        }
        // Otherwise libcurl waits for the body that a HEAD's response announces.
        if method == .head { _ = lc_set_number(easy, Int32(LC_OPT_NOBODY), 1) }
        if method != .get || upload != nil {
            _ = method.rawValue.withCString { lc_set_text(easy, Int32(LC_OPT_CUSTOMREQUEST), $0) }
        }
        // Sent on a connection that the server has just closed, libcurl would send it again.
        if !method.isIdempotent, !base.announcesRequests { _ = lc_set_number(easy, Int32(LC_OPT_FRESH_CONNECT), 1) }
    }
}
