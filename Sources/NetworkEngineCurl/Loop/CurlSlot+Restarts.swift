import CLibcurl
import NetworkEngine

/// Exchanges that start again.
extension CurlSlot {
    /// Whether libcurl may send the request again: only if repeating it is harmless, or the server has processed
    /// nothing of it, and nothing of a response has arrived.
    func maySendAgain() -> Bool {
        guard !head.isComplete else { return endRepeated() }
        guard task?.exchange.request.isRepeatable == true || options.wasRefused else { return false }
        // libcurl rewinds only if it knows that bytes were sent. It may have taken bytes that were not sent.
        if sent > 0, !seek(to: 0) { return false }
        guard route.kind == LC_MULTI_SHARING, options.message(contains: "HTTP_1_1_REQUIRED") else { return true }
        detour = CurlRoute(kind: LC_MULTI_SERIAL, isAfterRefusal: route.isAfterRefusal)
        return false
    }

    /// Whether the exchange starts again: on another route, because nothing of it was sent on this one, because the
    /// server has processed nothing of it, or because an idle connection can be closed for it.
    func mayBeginAgain(after code: Int32, atMost launches: Int) -> Bool {
        guard !isOver, self.launches < launches else { return false }
        // Some versions of libcurl report a refused request as an error, in place of sending it again.
        let isUnheard = sendings > 0 && !route.isAfterRefusal && options.isUnheardRefusal(code)
        let isRefused = code != 0 && (options.wasRefused || isUnheard)
        if detour == nil, isRefused, !isRefusedAnew, !head.isComplete, sent == 0 || seek(to: 0) {
            detour = CurlRoute(kind: route.kind, isAfterRefusal: true)
        }
        if lacksDescriptor(after: code), options.giveWay(on: route.kind) {
            detour = CurlRoute(kind: route.kind, isAfterRefusal: route.isAfterRefusal)
        }
        return detour != nil
    }

    /// Whether a new connection was refused after another refusal: one more would be no better.
    private var isRefusedAnew: Bool { route.isAfterRefusal && lc_number(easy, Int32(LC_INFO_NUM_CONNECTS)) > 0 }

    /// Whether an exchange of which nothing was sent found no free descriptor for its connection.
    func lacksDescriptor(after code: Int32) -> Bool {
        code == 7 && !isOver && sendings == 0 && sent == 0 && detour == nil && lc_lacks_descriptors()
    }
}
