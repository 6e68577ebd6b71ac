import Foundation
import NetworkEngine

/// One request to a cache: the decision, and how it is carried out.
struct CachedExchange: Sendable {
    let request: HTTPRequest
    let context: RequestContext
    let cache: ResponseCache
    let rules: CacheRules
    let key: CacheKey
    /// `nil` if stored responses are irrelevant to the request. Valid until one of them is removed.
    let ticket: PendingStores.Ticket?
    private let send: InterceptorChain.Exchange
    /// Starts the validation of a stored response after its use; `nil` in the background.
    private let validateLater: ValidateLater?

    /// - Parameter ticket: valid until the response is removed.
    typealias ValidateLater = @Sendable (_ entry: CacheEntry, _ ticket: PendingStores.Ticket?) -> Void

    /// A request waits for the validation that was running when it arrived, and for the next one, which is as good as
    /// its own.
    private static let mostWaits = 2

    init(
        _ request: HTTPRequest,
        _ context: RequestContext,
        in cache: ResponseCache,
        policy: CachePolicy,
        send: @escaping InterceptorChain.Exchange,
        validateLater: ValidateLater? = nil
    ) {
        self.request = request
        self.context = context
        self.cache = cache
        var rules = CacheRules(policy: policy)
        rules.servesStaleWhenDisconnected = true
        rules.refusesErrors = context.attempt > 1 && policy != .cacheOnly
        rules.refusesEmptyRedirects = !context.call.options.transport.followsRedirects
        self.rules = rules
        key = CacheKey(of: request)
        let isRead = (request.method == .get || request.method == .head) && request.body.isAbsent
        ticket = isRead && policy != .bypass ? cache.pendingStores.begin(key) : nil
        self.send = send
        self.validateLater = validateLater
    }

    func response() async throws -> HTTPResponse {
        if Task.isCancelled { throw NetworkError.cancelled(request) }
        try request.validate()
        let arrival = cache.now()
        var (waits, since) = (0, Date?.none)
        while true {
            let entries = await storedEntries()
            let decision = decision(on: entries, validatedSince: since)
            guard case .revalidate(let index, _) = decision else { return try await response(by: decision, entries) }
            let entry = entries[index]
            switch waits < Self.mostWaits ? claim(entry) : .own {
            case .own: return try await response(by: decision, entries)
            case .first:
                defer { cache.validations.end(entry.token, isCompleted: !Task.isCancelled) }
                // Another request may have validated the response since it was read.
                let current = await storedEntries()
                return try await response(by: self.decision(on: current, validatedSince: since), current)
            case .running(let validation):
                guard let isCompleted = await end(of: validation) else { return try await unvalidated(entry) }
                if isCompleted { waits += 1 }
                since = arrival
            }
        }
    }

    /// A download validates by itself: it may take any time, and others would wait for its file.
    private func claim(_ entry: CacheEntry) -> ValidationTable.Claim {
        if context.call.options.files != nil { return .own }
        return cache.validations.begin(entry.token, for: context.requestID)
    }

    /// Waits for another call's validation, no longer than for a server. Returns whether it completed; `nil` if it
    /// takes too long.
    private func end(of validation: ValidationTable.Validation) async -> Bool? {
        let timers = context.call.options.timers
        var deadline = context.call.options.transport.deadline
        let timeout = request.timeout ?? context.call.options.sharingKey.timeout
        if let timers, let timeout {
            let own = Deadline(in: timeout, on: timers.timebase)
            deadline = deadline.map { $0.expiry < own.expiry ? $0 : own } ?? own
        }
        return (try? await validation.end.wait(until: deadline, on: timers)).flatMap(\.self)
    }

    /// The response to use if another call's validation takes too long.
    private func unvalidated(_ entry: CacheEntry) async throws -> HTTPResponse {
        if Task.isCancelled { throw NetworkError.cancelled(request) }
        if let deadline = context.call.options.transport.deadline, deadline.timeLeft == .zero {
            throw NetworkError.deadlinePassed(request, of: deadline)
        }
        if let response = try await replacement(for: .disconnected, entry) { return response }
        throw NetworkError(
            .timeout(.response), reason: "the validation by another request took too long", request: request)
    }

    private func storedEntries() async -> [CacheEntry] { usesEntries ? await cache.store.entries(for: key) : [] }

    /// Decides whether to use stored responses.
    ///
    /// - Parameter time: when a request arrived that has waited for another validation. Responses requested from the
    ///   server since then need no further validation.
    private func decision(on entries: [CacheEntry], validatedSince time: Date? = nil) -> CacheDecision {
        let decision = rules.decision(for: request, stored: entries.map(\.response), now: cache.now())
        guard let time, case .revalidate(let index, _) = decision, entries[index].response.requestTime > time else {
            return decision
        }
        return .use(CacheUse(index: index))
    }

    /// Requests a new response to replace a stale one that was used. Errors are ignored.
    ///
    /// Does nothing if another request has validated or replaced the response since it was read.
    func validateInBackground(_ entry: CacheEntry) async {
        let current = await cache.store.entries(for: key)
        guard current.contains(where: { $0.token == entry.token && $0.response == entry.response }) else { return }
        guard let response = try? await validated(entry, entry.response.conditions ?? [:]) else { return }
        // A server response is stored while it is read, up to the limits of a caller and the store.
        guard response.source == .network, case .stream(let body) = response.body else { return }
        let longest = body.length == nil ? cache.store.unmeasuredBodyLimit : cache.store.bodyLimit
        var room = min(context.call.options.transport.limits.bodyInMemory, longest)
        guard body.length ?? 0 <= room else { return }
        let reading = body.reading()
        while room >= 0, let piece = try? await reading.next(), !piece.isEmpty { room -= Int64(piece.count) }
    }

    /// Whether stored responses apply to the request. A request body's meaning is not part of the URL.
    var usesEntries: Bool { ticket != nil }

    private func response(by decision: CacheDecision, _ entries: [CacheEntry]) async throws -> HTTPResponse {
        switch decision {
        case .use(let use):
            if let response = try await answer(use, from: entries[use.index]) {
                if use.revalidatesInBackground { validateLater?(entries[use.index], ticket) }
                return response
            }
            await cache.store.remove(key)
            return try await response(by: self.decision(on: []), [])
        case .revalidate(let index, let conditions): return try await validated(entries[index], conditions)
        case .complete(let index, let conditions): return try await completed(entries[index], conditions)
        case .fetch(let miss): return try await fetched(.miss(miss), entries)
        case .gatewayTimeout:
            note(.miss, .refusal("nothing that could be used was stored"))
            return unanswered
        }
    }

    /// The response for a request that accepts only a stored one.
    private var unanswered: HTTPResponse {
        var response = HTTPResponse(statusCode: 504, headers: StoredResponse.gatewayTimeoutHeaders, request: request)
        response.source = .cache
        response.isUnanswered = true
        return response
    }

    // MARK: The server

    /// The server's response, or a stored one that replaces a failure.
    func fetched(_ reason: CacheStatus.Forward, _ entries: [CacheEntry] = []) async throws -> HTTPResponse {
        let isPlain = !Self.selectingFields.contains { request.headers.contains($0) }
        let index = isPlain ? rules.selection(for: request, in: entries.map(\.response)) : nil
        switch try await outcome(of: request, index.map { entries[$0] }) {
        case .replaced(let response): return response
        case .arrived(let arrival): return try await received(arrival, entries, reason)
        }
    }

    /// The fields that request a part of a response, or specific versions of it.
    private static let selectingFields = [
        "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since", "Range",
    ]

    private enum Outcome {
        case arrived(Arrival)
        /// The server failed, and this response replaces its own.
        case replaced(HTTPResponse)
    }

    private func outcome(of request: HTTPRequest, _ stale: CacheEntry?) async throws -> Outcome {
        guard let stale else { return .arrived(try await exchanged(request)) }
        do {
            let arrival = try await exchanged(request)
            let status = arrival.response.statusCode
            guard let response = try await replacement(for: .status(status), stale) else { return .arrived(arrival) }
            arrival.response.discardFile()
            return .replaced(response)
        } catch let error as NetworkError {
            // An interrupted download resumes where it stopped.
            let hasBegun = context.call.options.files != nil && error.response != nil
            guard error.isDisconnection, !hasBegun, let response = try await replacement(for: .disconnected, stale)
            else { throw error }
            return .replaced(response)
        }
    }

    /// Sends a request to the server. Stored responses that it invalidates are removed before this returns.
    func exchanged(_ request: HTTPRequest) async throws -> Arrival {
        let ticket = rules.mayStore ? ticket : nil
        let start = cache.now()
        do {
            let response = try await send(request, context)
            await invalidate(after: response)
            return Arrival(response: response, requestTime: start, responseTime: cache.now(), ticket: ticket)
        } catch let error as NetworkError {
            if let response = error.response { await invalidate(after: response) }
            throw error
        }
    }

    private func invalidate(after response: HTTPResponse) async {
        for key in Invalidation.keys(after: request, statusCode: response.statusCode, headers: response.headers) {
            await cache.remove(key)
        }
        if ClearSiteData(response.headers, from: request.url).contains(.cache) {
            await cache.removeAll(from: key.origin)
        }
    }

    // MARK: A stored response and the server

    /// The stored response if the server confirms it, otherwise the server's.
    private func validated(_ entry: CacheEntry, _ conditions: HTTPHeaders) async throws -> HTTPResponse {
        var conditional = request
        conditional.headers.merge(conditions)
        switch try await outcome(of: conditional, entry) {
        case .replaced(let response): return response
        case .arrived(let arrival) where arrival.response.statusCode == 304:
            return try await confirmed(entry, by: arrival)
        case .arrived(let arrival): return try await received(arrival, [entry], .stale)
        }
    }

    private func confirmed(_ entry: CacheEntry, by arrival: Arrival) async throws -> HTTPResponse {
        var entry = entry
        let updated = entry.response.updated(
            by: arrival.response.headers, requestTime: arrival.requestTime, responseTime: arrival.responseTime)
        guard let updated else {
            await cache.store.remove(key)
            return try await fetched(.stale)
        }
        await update(entry, to: updated, by: arrival)
        entry.response = updated
        if let response = try await answer(CacheUse(index: 0), from: entry, confirmedBy: arrival.response) {
            return response
        }
        await cache.store.remove(key)
        return try await fetched(.stale)
    }

    /// The stale response that replaces a server failure.
    private func replacement(for failure: CacheRules.Failure, _ entry: CacheEntry) async throws -> HTTPResponse? {
        let use = rules.fallback(after: failure, of: request, response: entry.response, at: 0, now: cache.now())
        guard let use else { return nil }
        return try await answer(use, from: entry)
    }
}

extension CachedExchange {
    /// A server response.
    struct Arrival: Sendable {
        var response: HTTPResponse
        let requestTime: Date
        let responseTime: Date
        /// `nil` if the response must not be stored.
        let ticket: PendingStores.Ticket?
    }

    /// Notifies the call's observers of how the cache handled the request.
    func note(_ outcome: NetworkEvent.CacheAnswer.Outcome, _ status: @autoclosure () -> CacheStatus) {
        guard let observation = context.call.options.observation else { return }
        observation.post(.cacheAnswered(.init(outcome: outcome, status: status().description)))
    }
}

extension CacheStatus {
    /// The status of a generated response.
    fileprivate static func refusal(_ detail: String) -> CacheStatus {
        var status = CacheStatus(forward: .miss(.bypass))
        status.detail = detail
        return status
    }
}

extension NetworkError {
    /// Whether the server was not reached, or did not respond completely.
    fileprivate var isDisconnection: Bool {
        switch transportFailure {
        case .dns, .connect, .lostBeforeResponse, .lostMidBody, .offline, .unknown: true
        case .timeout(let phase): phase != .deadline && phase != .queue
        default: false
        }
    }
}
