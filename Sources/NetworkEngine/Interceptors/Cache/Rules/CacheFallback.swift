package import Foundation

extension CacheRules {
    /// The failure of a request that a stale response can replace.
    package enum Failure: Hashable, Sendable {
        /// The server could not be reached, or the exchange broke off.
        case disconnected
        case status(Int)
    }

    /// The answer to a request after the server failed.
    package enum Fallback: Hashable, Sendable {
        case use(CacheUse)
        /// A stale response is stored, and the server forbids to use it: the answer has the status 504.
        case gatewayTimeout
        /// The failure is the answer.
        case none
    }

    /// Decides what replaces a failed validation of a stored response.
    package func fallback(
        after failure: Failure,
        of request: HTTPRequest,
        response: StoredResponse,
        at index: Int,
        now: Date
    ) -> Fallback {
        guard policy != .none, policy != .reload, response.variant.matches(request), response.isComplete else {
            return .none
        }
        let state = CacheState(of: response, for: CacheControl(request: request.headers), at: now)
        if case .status(let status) = failure, ![500, 502, 503, 504].contains(status) { return .none }
        let isUnasked = failure == .disconnected && servesStaleWhenDisconnected && state.mayBeStaleUnasked
        if state.isUsableAfterError || isUnasked || (policy == .cacheFirst && state.mayBeStale) {
            return .use(CacheUse(index: index, isStale: !state.freshness.isFresh))
        }
        return failure == .disconnected && !state.mayBeStale ? .gatewayTimeout : .none
    }
}
