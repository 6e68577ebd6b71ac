import NetworkEngine

/// The state shared by a transport's loops.
final class CurlCommon: Sendable {
    /// The permits of all loops.
    let gate: ConnectionLimiter
    /// `nil` for a single loop.
    private let balance: Locked<LoopBalance>?

    init(_ configuration: CurlConfiguration) {
        gate = ConnectionLimiter(perHost: configuration.requestsPerHost, total: configuration.requestsInTotal)
        let count = configuration.usableThreads
        balance = count > 1 ? Locked(LoopBalance(loops: count, share: configuration.requestsUntilShared)) : nil
    }

    /// Selects the loop for an exchange, which counts there from now on.
    func enter(_ request: CurlRequest, mayMultiplex: Bool) -> Int {
        balance?.withLock { $0.enter(origin: request.origin, mayMultiplex: mayMultiplex) } ?? 0
    }

    func move(_ request: CurlRequest, from old: Int, to new: Int) {
        balance?.withLock { $0.move(from: old, to: new, origin: request.origin) }
    }

    /// An exchange no longer counts on its loop.
    func ended(_ request: CurlRequest, on loop: Int) { balance?.withLock { $0.leave(loop, origin: request.origin) } }

    /// An origin that was offered HTTP/2 has responded over HTTP/1.1.
    func spread(_ origin: String) { balance?.withLock { $0.spread(origin) } }

    func setUsable(_ loop: Int, _ isUsable: Bool) { balance?.withLock { $0.setUsable(loop, isUsable) } }

    func isUsable(_ loop: Int) -> Bool { balance?.withLock { $0.isUsable(loop) } ?? true }
}
