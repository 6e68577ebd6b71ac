import Foundation
import NetworkEngine

extension CacheRules {
    /// A request failure that a stale response can replace.
    enum Failure: Hashable, Sendable {
        /// The server could not be reached, or the exchange was interrupted.
        case disconnected
        case status(Int)
    }

    /// Decides whether a stored response replaces its failed validation. If not, the failure is returned.
    func fallback(
        after failure: Failure,
        of request: HTTPRequest,
        response: StoredResponse,
        at index: Int,
        now: Date
    ) -> CacheUse? {
        guard policy != .bypass, policy != .reload, response.variant.matches(request), response.isComplete else {
            return nil
        }
        let state = CacheState(of: response, for: CacheControl(request: request.headers), at: now)
        if case .status(let status) = failure, ![500, 502, 503, 504].contains(status) { return nil }
        let isUnasked = failure == .disconnected && servesStaleWhenDisconnected && state.mayBeStaleUnasked
        let isUsable = state.isUsableAfterError || isUnasked || (policy == .cacheFirst && state.mayBeStale)
        return isUsable ? CacheUse(index: index, isStale: !state.freshness.isFresh) : nil
    }
}
