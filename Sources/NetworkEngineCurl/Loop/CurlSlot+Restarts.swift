import CLibcurl
import NetworkEngine

/// Restarting exchanges.
extension CurlSlot {
    /// Whether libcurl may send the request again, on a connection that it has chosen.
    ///
    /// A refused request is sent again, whatever its method, and finally on a dedicated connection: a server that often
    /// replaces its connections refuses most of many requests. If the connection was lost, the request is sent once
    /// more if repeating it is harmless, on a connection opened since then. libcurl itself would try one kept-alive
    /// connection after another.
    func maySendAgain(on connection: LCConnection) -> Bool {
        guard !head.isComplete else { return endRepeated() }
        let isRefused = options.wasRefused
        guard task?.exchange.request.isRepeatable == true || isRefused else { return false }
        // libcurl rewinds only if it detects that bytes were sent. It may have read bytes that were not sent.
        if sent > 0, !seek(to: 0) { return false }
        if route.kind == LC_MULTI_SHARING, options.message(contains: "HTTP_1_1_REQUIRED") {
            takeDetour(on: LC_MULTI_SERIAL)
            return false
        }
        if isRefused {
            repetition.refusals += 1
            if repetition.refusals <= CurlRepetition.mostRefusals { return true }
            if !route.isAfterRefusal { takeDetour(isFresh: true, isAfterRefusal: true) }
            return false
        }
        if repetition.isAfterLoss { return false }
        repetition.isAfterLoss = true
        if isNew(connection) { return true }
        takeDetour(isFresh: true)
        return false
    }

    /// Whether a connection was opened since the first sending.
    private func isNew(_ connection: LCConnection) -> Bool {
        if connection.serial > 0 { return connection.serial > repetition.newest }
        return lc_number(easy, Int32(LC_INFO_NUM_CONNECTS)) > repetition.connects
    }

    /// Records the existing connections before the first sending.
    func noteConnections() {
        repetition.newest = options.newestConnection
        repetition.connects = lc_number(easy, Int32(LC_INFO_NUM_CONNECTS))
    }

    /// Restarts the exchange after a sending that did not happen.
    func takeDetour(on kind: LCMultiKind? = nil, isFresh: Bool = false, isAfterRefusal: Bool = false) {
        detour = CurlRoute(
            kind: kind ?? route.kind, isFresh: isFresh, isAfterRefusal: route.isAfterRefusal || isAfterRefusal,
            isAfterLoss: repetition.isAfterLoss, sendings: route.sendings + sendings)
    }

    /// Whether the exchange is restarted: on another route, because nothing of it was sent on this one, because the
    /// server has processed nothing of it, or because an idle connection can be closed for it.
    func mayBeginAgain(after code: Int32, atMost launches: Int) -> Bool {
        guard !isOver, self.launches < launches else { return false }
        // Some libcurl versions report a refused request as an error, instead of sending it again.
        let isUnheard = sendings > 0 && !route.isAfterRefusal && options.isUnheardRefusal(code)
        let isRefused = code != 0 && (options.wasRefused || isUnheard)
        if detour == nil, isRefused, !isRefusedAnew, !head.isComplete, sent == 0 || seek(to: 0) {
            detour = onward
            detour?.isFresh = true
            detour?.isAfterRefusal = true
        }
        if lacksDescriptor(after: code), options.giveWay(on: route.kind) { detour = onward }
        return detour != nil
    }

    /// The route of a restarted exchange, after the sendings so far.
    var onward: CurlRoute {
        CurlRoute(
            kind: route.kind, isFresh: route.isFresh, isAfterRefusal: route.isAfterRefusal,
            isAfterLoss: repetition.isAfterLoss, sendings: route.sendings + sendings)
    }

    /// Whether a new connection was refused after another refusal: one more would not help.
    private var isRefusedAnew: Bool { route.isAfterRefusal && lc_number(easy, Int32(LC_INFO_NUM_CONNECTS)) > 0 }

    /// Whether nothing of the exchange was sent because its connection found no free descriptor.
    func lacksDescriptor(after code: Int32) -> Bool {
        !isOver && sendings == 0 && sent == 0 && detour == nil && options.lacksDescriptor(after: code)
    }
}
