import Foundation
import NetworkEngine

/// The rules of a private cache for answering a request (RFC 9111, 4; RFC 5861; RFC 8246).
struct CacheRules: Hashable, Sendable {
    var policy: CachePolicy
    /// Whether to use a stale response without explicit permission when the server cannot be reached.
    ///
    /// RFC 9111, 4.2.4 permits this unless the server forbids using the stale response.
    var servesStaleWhenDisconnected = false

    /// Whether not to use a stored error, because the last attempt failed with it.
    var refusesErrors = false
    /// Whether not to use a redirect stored without its body, because the call does not follow it.
    var refusesEmptyRedirects = false

    init(policy: CachePolicy = .useProtocol) { self.policy = policy }

    /// Whether the response to a request may be stored at all.
    var mayStore: Bool { policy != .bypass && policy != .cacheOnly }

    /// Decides how to answer a request.
    ///
    /// - Parameter stored: all stored responses for the request's URL.
    func decision(for request: HTTPRequest, stored: [StoredResponse], now: Date) -> CacheDecision {
        guard policy != .bypass else { return .fetch(.bypass) }
        let wishes = CacheControl(request: request.headers)
        let isOffline = policy == .cacheOnly || wishes.isOnlyIfCached
        guard request.method == .get || request.method == .head else {
            return isOffline ? .gatewayTimeout : .fetch(.method)
        }
        guard policy != .reload else { return isOffline ? .gatewayTimeout : .fetch(.bypass) }
        let decision = decision(for: request, wishes, stored, now)
        if case .use(let use) = decision {
            // Without the server, nothing can be validated in the background.
            guard isOffline, use.revalidatesInBackground else { return decision }
            return .use(CacheUse(index: use.index, answer: use.answer, isStale: use.isStale))
        }
        return isOffline ? .gatewayTimeout : decision
    }

    private func decision(
        for request: HTTPRequest,
        _ wishes: CacheControl,
        _ stored: [StoredResponse],
        _ now: Date
    ) -> CacheDecision {
        guard !wishes.isNoStore, !request.hasWriteCondition else { return .fetch(.request) }
        guard !stored.isEmpty else { return .fetch(.address) }
        guard let index = selection(for: request, in: stored) else {
            return .fetch(stored.contains { $0.variant.matches(request) } ? .request : .variant)
        }
        let response = stored[index]
        guard let answer = CacheUse.Answer(from: response, to: request) else {
            return completion(of: response, at: index, for: request)
        }
        let state = CacheState(of: response, for: wishes, at: now)
        if state.isUsable || (policy != .useProtocol && state.mayBeStale) {
            return .use(CacheUse(index: index, answer: answer, isStale: !state.freshness.isFresh))
        }
        if state.isUsableWhileRevalidating {
            return .use(CacheUse(index: index, answer: answer, isStale: true, revalidatesInBackground: true))
        }
        // The caller's condition applies to the caller's copy, and a 304 for the whole cannot confirm a part.
        guard request.method == .get, !request.hasReadCondition, !request.headers.contains("Range"),
            response.isComplete, let conditions = response.conditions
        else { return .fetch(state.freshness.isFresh ? .request : .stale) }
        return .revalidate(index, conditions: conditions)
    }

    /// The newest stored response that a request selects. Prefers complete responses, and those for the same sender.
    func selection(for request: HTTPRequest, in stored: [StoredResponse]) -> Int? {
        let matching = stored.indices.filter { stored[$0].variant.matches(request) && !isRefused(stored[$0]) }
        return matching.count < 2 ? matching.first : matching.max { rank($0) < rank($1) }

        func rank(_ index: Int) -> (Int, Int, Date, Date) {
            let response = stored[index]
            let isOwn = response.variant.isOwn(of: request)
            return (response.isComplete ? 1 : 0, isOwn ? 1 : 0, response.date, response.responseTime)
        }
    }

    private func isRefused(_ response: StoredResponse) -> Bool {
        refusesErrors && response.statusCode >= 400 || refusesEmptyRedirects && response.isRedirectWithoutBody
    }

    private func completion(of response: StoredResponse, at index: Int, for request: HTTPRequest) -> CacheDecision {
        // The rest would have another identity than a beginning stored for another sender.
        guard request.method == .get, !request.headers.contains("Range"), !request.hasReadCondition,
            response.variant.isOwn(of: request), let conditions = response.conditionsForRest
        else { return .fetch(.partial) }
        return .complete(index, conditions: conditions)
    }
}

extension CacheUse.Answer {
    /// `nil` if the stored response does not contain the requested content.
    fileprivate init?(from response: StoredResponse, to request: HTTPRequest) {
        let hasContent = response.statusCode == 200 || response.statusCode == 206
        if request.hasReadCondition, response.isComplete, hasContent, response.isNotModified(for: request) {
            self = .notModified
        } else if request.method == .get, hasContent, let range = ByteRange(request.headers),
            response.permitsPart(to: request)
        {
            guard let bounds = response.stored(range) else { return nil }
            self = .part(bounds)
        } else if response.isComplete {
            self = .whole
        } else {
            return nil
        }
    }
}

extension StoredResponse {
    /// Whether this may be a redirect stored without its body because the call followed it.
    fileprivate var isRedirectWithoutBody: Bool {
        HTTPResponse.isRedirect(statusCode) && bodyLength == 0 && headers["Content-Length"] != "0"
    }

    /// Whether the condition of a request is false for this response (RFC 9110, 13.2.2).
    fileprivate func isNotModified(for request: HTTPRequest) -> Bool {
        if request.headers.contains("If-None-Match") { return request.headers.excludes(headers.entityTag) }
        guard let limit = request.headers["If-Modified-Since"].flatMap(HTTPDate.seconds) else { return false }
        let modified = headers["Last-Modified"].flatMap(HTTPDate.seconds)
        return Double(limit) >= modified.map(Double.init) ?? date.timeIntervalSince1970
    }
}

extension HTTPRequest {
    fileprivate var hasReadCondition: Bool {
        headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
    }

    fileprivate var hasWriteCondition: Bool {
        headers.contains("If-Match") || headers.contains("If-Unmodified-Since")
    }
}
