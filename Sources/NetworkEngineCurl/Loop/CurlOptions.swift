import CLibcurl
import NetworkEngine

/// An easy handle's options, for its transport and for each exchange.
final class CurlOptions {
    private(set) var easy: OpaquePointer
    private let base: CurlSharedOptions
    private let callbacks: CurlCallbacks
    private let system: OpaquePointer
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: LC_ERROR_SIZE)
    private let listener: OpaquePointer?
    private let opener: UnsafeMutablePointer<LCOpener>
    private var lines = CurlHeaderList()
    private var resolution = CurlHeaderList()
    /// Whether the options are for a GET without a body, so that few need to change for another.
    private var isPlain = false
    /// Whether no option was set since the handle was created.
    private var isNew = true
    private var listening = Listening.never
    /// Whether a refusal of this exchange may be reported by a message to another exchange.
    private(set) var dependsOnMessages = false

    /// When libcurl's messages are read.
    private enum Listening {
        case never
        /// libcurl's messages during sending are not needed, and cost more than sending a GET.
        case afterSending
        case always
    }

    /// Closes the connection after the running exchange.
    func forbidReuse() {
        _ = lc_set_number(easy, Int32(LC_OPT_FORBID_REUSE), 1)
        isPlain = false
    }

    /// Creates the options and takes over a handle.
    init(_ easy: OpaquePointer, base: CurlSharedOptions, callbacks: CurlCallbacks, system: OpaquePointer) {
        self.easy = easy
        self.base = base
        self.callbacks = callbacks
        self.system = system
        words.initialize(repeating: 0, count: LC_ERROR_SIZE)
        listener = lc_listener_create(system)
        opener = .allocate(capacity: 1)
        opener.initialize(to: LCOpener(loop: system, isRefused: false, isLast: false))
    }

    deinit {
        lc_easy_destroy(easy)
        lc_listener_destroy(listener)
        opener.deallocate()
        words.deallocate()
    }

    /// Replaces a handle that keeps bytes or pointers from its last exchange.
    ///
    /// - Returns: whether there was enough memory.
    func renewHandle() -> Bool {
        guard let new = lc_easy_create() else { return false }
        lc_easy_destroy(easy)
        easy = new
        isNew = true
        isPlain = false
        return true
    }

    /// Whether the handle can be used for another exchange.
    var mayServeAgain: Bool { base.reusesHandles && (listener != nil || !base.guardsFirstField) }

    /// Whether libcurl's message contains a text.
    func message(contains text: String) -> Bool { String(cString: words).contains(text) }

    /// Whether the server has processed nothing of the request, according to libcurl. Without the callback before each
    /// sending, a report may be about an earlier one.
    var wasRefused: Bool { base.announcesRequests && lc_listener_was_refused(listener) != 0 }

    /// Whether a failure of a GET's HTTP/2 connection is an unnoticed refusal. Other failures with this code have a
    /// text.
    func isUnheardRefusal(_ code: Int32) -> Bool {
        code == 16 && words[0] == 0 && isPlain && base.sendsUnheard && listening != .never
    }

    /// Whether the response has ended, although libcurl reports an error because there was more to send.
    var hasEnded: Bool { lc_listener_has_ended(listener) != 0 }

    /// Listens for a refusal of the sending that begins on a connection.
    func listen(on connection: LCConnection) { lc_listener_begin(listener, connection) }

    /// Starts reading libcurl's messages, if they are read at all.
    func listenFromNow() {
        guard listening == .afterSending else { return }
        listening = .always
        _ = lc_set_number(easy, Int32(LC_OPT_VERBOSE), 1)
    }

    /// Hides a folded line from libcurl while it may be the first field of an exchange.
    func guardFirstField(_ isExpected: Bool) {
        lc_listener_guard_field(listener, isExpected)
        if listening != .always { _ = lc_set_number(easy, Int32(LC_OPT_VERBOSE), isExpected ? 1 : 0) }
    }

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

    /// Registers an exchange on a connection, unless the connection cannot take its request.
    func enter(_ connection: inout LCConnection, _ number: Int) -> LCEntry {
        lc_loop_enter(system, &connection, Int32(truncatingIfNeeded: number))
    }

    /// The number of sent bytes that are not acknowledged on a connection; `nil` if unknown.
    func unacknowledged(on connection: LCConnection) -> Int32? {
        let count = lc_loop_unacknowledged(system, connection)
        return count < 0 ? nil : count
    }

    /// The loop's newest connection. Later connections have greater values.
    var newestConnection: UInt64 { lc_loop_newest(system) }

    /// Makes the next connections replace idle ones.
    ///
    /// - Returns: whether there is an idle one.
    func giveWay(on kind: LCMultiKind) -> Bool { lc_loop_give_way(system, kind) }

    func leave(_ connection: LCConnection) { lc_loop_leave(system, connection) }

    func notePause(on connection: LCConnection) { lc_loop_note_pause(system, connection) }

    /// Makes libcurl check a connection as after an event.
    ///
    /// - Returns: libcurl's code, 0 for success.
    func touch(_ connection: LCConnection) -> Int32 { lc_loop_touch(system, connection) }

    /// Whether libcurl no longer waits for response bytes, although its connection is open.
    func isAtRest(_ connection: LCConnection) -> Bool { lc_loop_is_at_rest(system, connection) }

    /// Records a response's HTTP version.
    ///
    /// - Returns: whether the response belongs to the connection's exchange.
    func note(isVersion1: Bool, on connection: LCConnection) -> Bool {
        lc_loop_note_version(system, connection, isVersion1 ? LC_VERSION_1 : LC_VERSION_2) != 0
    }

    // MARK: Options

    /// The pins to compare before a request to their host is sent.
    func certificatePins(for wire: CurlRequest) -> [TLSPolicy.Pin] {
        wire.isTLS ? base.security.certificatePins(for: wire.host) : []
    }

    func hasCertificate(with pins: [TLSPolicy.Pin]) -> Bool {
        base.security.serverCertificate(of: easy, hasOneOf: pins)
    }

    /// libcurl's message for a failure.
    func message(for code: Int32) -> String {
        let own = String(cString: words)
        return own.isEmpty ? String(cString: lc_error_text(code)) : own
    }

    /// Whether an exchange failed because the process or the system has no free descriptors.
    func lacksDescriptor(after code: Int32) -> Bool { opener.pointee.explains(code) }

    /// Sets an exchange's options.
    ///
    /// - Parameters:
    ///   - othersDepend: whether another exchange depends on libcurl's messages to this one.
    ///   - context: the argument of the callbacks.
    func apply(
        _ task: CurlTask, _ route: CurlRoute, othersDepend: Bool, context: UnsafeMutableRawPointer
    ) -> AbortReason? {
        let (request, wire, upload) = (task.exchange.request, task.request, task.upload)
        words[0] = 0
        (opener.pointee.isRefused, opener.pointee.isLast) = (false, false)
        dependsOnMessages = false
        let becomesPlain = request.method == .get && upload == nil && base.keepsOptions && !route.isFresh
        if !isPlain || !becomesPlain {
            // A reset would keep more than the options: a buffer of their size, and the state of the last exchange.
            if !isNew, !renewHandle() { return .lacksDescriptors }
            isNew = false
            let isForeign = request.secrets?.isForeign == true
            if let fault = base.apply(to: easy, host: wire.host, isForeign: isForeign) { return fault }
            attach(context)
        }
        isPlain = becomesPlain
        _ = wire.url.withCString { lc_set_text(easy, Int32(LC_OPT_URL), $0) }
        _ = lc_set_number(easy, Int32(LC_OPT_HTTP_VERSION), base.version(on: route.kind))
        lines.set(wire.lines)
        _ = lc_set_pointer(easy, Int32(LC_OPT_HTTPHEADER), lines.first)
        if base.resolves {
            resolution.set(wire.resolution)
            _ = lc_set_pointer(easy, Int32(LC_OPT_RESOLVE), resolution.first)
        }
        if !becomesPlain {
            setMethod(request.method, upload: upload, isRepeatable: request.isRepeatable, context: context)
        }
        let mustListen = route.kind == LC_MULTI_SHARING
        // A refusal that is missed while such a request is sent counts as a loss, after which it is sent once more.
        let mayMissOne = base.reportsRefusals && request.mayHappenTwice && !route.isAfterRefusal && !route.isAfterLoss
        dependsOnMessages = mustListen && !becomesPlain && !base.reportsRefusals
        let waits = mayMissOne || (becomesPlain && base.sendsUnheard && !othersDepend)
        listening = !mustListen ? .never : waits ? .afterSending : .always
        _ = lc_set_number(easy, Int32(LC_OPT_VERBOSE), listening == .always ? 1 : 0)
        if route.isFresh { _ = lc_set_number(easy, Int32(LC_OPT_FRESH_CONNECT), 1) }
        return nil
    }

    private func attach(_ context: UnsafeMutableRawPointer) {
        lc_opener_attach(opener, easy)
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
        _ = lc_listener_attach(listener, easy)
        guard base.announcesRequests else { return }
        _ = lc_set_prereq_callback(easy, Int32(LC_OPT_PREREQFUNCTION), callbacks.prereq)
        _ = lc_set_pointer(easy, Int32(LC_OPT_PREREQDATA), context)
    }

    private func setMethod(
        _ method: HTTPMethod, upload: CurlUpload?, isRepeatable: Bool, context: UnsafeMutableRawPointer
    ) {
        if let upload {
            // An unknown length makes libcurl send chunks.
            let unknownLength: Int64 = -1
            _ = lc_set_number(easy, Int32(LC_OPT_UPLOAD), 1)
            _ = lc_set_large(easy, Int32(LC_OPT_INFILESIZE_LARGE), upload.announcedLength ?? unknownLength)
            if !upload.trailerNames.isEmpty {
                _ = lc_set_trailer_callback(easy, callbacks.trailers)
                _ = lc_set_pointer(easy, Int32(LC_OPT_TRAILERDATA), context)
            }
        }
        // Otherwise libcurl waits for the body declared in a HEAD response.
        if method == .head { _ = lc_set_number(easy, Int32(LC_OPT_NOBODY), 1) }
        if method != .get || upload != nil {
            _ = method.rawValue.withCString { lc_set_text(easy, Int32(LC_OPT_CUSTOMREQUEST), $0) }
        }
        // If the server closes a reused connection, libcurl would send the request again. A new connection prevents
        // this.
        if !isRepeatable, !base.announcesRequests { _ = lc_set_number(easy, Int32(LC_OPT_FRESH_CONNECT), 1) }
    }
}
