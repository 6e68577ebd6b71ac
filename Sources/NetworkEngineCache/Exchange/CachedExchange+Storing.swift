import Foundation
import NetworkEngine

extension CachedExchange {
    /// The server's response, which is stored while its body is read.
    ///
    /// - Parameter entries: the stored responses for the URL.
    func received(_ arrival: Arrival, _ entries: [CacheEntry], _ reason: CacheStatus.Forward) async throws
        -> HTTPResponse
    {
        let response = arrival.response
        let entries = entries.filter { $0.response.variant.matches(request) }
        var isStored = false
        defer { note(response, reason, isStored) }
        guard usesEntries, rules.mayStore, arrival.ticket != nil else { return response }
        if request.method == .head || response.statusCode == 304 {
            for entry in entries { await update(entry, by: arrival) }
            return response
        }
        guard let head = storable(arrival) else {
            // The stored response is older than this one, which must not be stored.
            if !entries.isEmpty, (200..<300).contains(response.statusCode) { await cache.store.remove(key) }
            return response
        }
        guard context.call.options.files == nil || cache.store.acceptsDownloads else { return response }
        // The first bytes of a body that is too long would evict other responses.
        if response.body.knownLength ?? 0 > cache.store.bodyLimit { return response }
        isStored = true
        let recorder = BodyRecorder(head, for: key, in: cache, ticket: arrival.ticket)
        for entry in entries where ticket?.isValid == true {
            if let content = PartialContent(stored: entry.response, received: head) {
                return await recorder.combining(content, with: entry).recorded(response)
            }
        }
        return await recorder.recorded(response)
    }

    /// Requests the rest of a partially stored response, and returns the whole.
    func completed(_ entry: CacheEntry, _ conditions: HTTPHeaders) async throws -> HTTPResponse {
        var ranged = request
        ranged.headers.merge(conditions)
        let arrival = try await exchanged(ranged)
        let status = arrival.response.statusCode
        guard status == 206 || status == 416 else { return try await received(arrival, [entry], .partial) }
        guard status == 206, let head = storable(arrival), ticket?.isValid == true,
            (try? entry.body.isIntact()) == true,
            let content = PartialContent(stored: entry.response, received: head), content.response.isComplete
        else {
            arrival.response.discardFile()
            await cache.store.remove(key)
            return try await fetched(.partial)
        }
        let recorder = BodyRecorder(head, for: key, in: cache, ticket: arrival.ticket).combining(content, with: entry)
        let limit = wantsStream ? nil : context.call.options.transport.limits.bodyInMemory
        guard let response = try await recorder.recordedWhole(arrival.response, inMemoryUpTo: limit) else {
            await cache.store.remove(key)
            return try await fetched(.partial)
        }
        note(response, .partial, true)
        return response
    }

    /// The head to store; `nil` if the response must not be stored.
    private func storable(_ arrival: Arrival) -> StoredResponse? {
        let response = arrival.response
        guard !isResumed(response) else { return nil }
        var head = StoredResponse(
            storing: response.statusCode, response.headers, to: request, policy: rules.policy,
            requestTime: arrival.requestTime, responseTime: arrival.responseTime)
        if let part = head?.part { head?.bodyLength = Int64(part.bounds.count) }
        // The transport drops the body of a redirect that the engine follows.
        if context.call.options.transport.followsRedirects, HTTPResponse.isRedirect(response.statusCode) {
            head?.headers["Content-Length"] = nil
        }
        return head
    }

    /// Whether a download was resumed from its part on disk: the head belongs to the last part.
    private func isResumed(_ response: HTTPResponse) -> Bool {
        context.call.options.files != nil && response.statusCode == 200
            && response.request.headers.contains("Range") && !request.headers.contains("Range")
    }

    /// Updates a stored response with the head of another response, or removes it if the other describes different
    /// content.
    private func update(_ entry: CacheEntry, by arrival: Arrival) async {
        let response = arrival.response
        if response.statusCode == 304 {
            // The condition was the caller's, so it may confirm another response than the stored one.
            guard response.headers.contains("ETag"), entry.response.headers.contains("ETag"),
                let updated = entry.response.updated(
                    by: response.headers, requestTime: arrival.requestTime, responseTime: arrival.responseTime)
            else { return }
            await update(entry, to: updated, by: arrival)
        } else {
            let result = entry.response.result(
                ofHead: response.statusCode, response.headers, requestTime: arrival.requestTime,
                responseTime: arrival.responseTime)
            switch result {
            case .updated(let updated): await update(entry, to: updated, by: arrival)
            case .outdated: await cache.store.remove(key)
            case .unrelated: break
            }
        }
    }

    /// Replaces the head of a stored response, unless it was removed since the request.
    ///
    /// No part of a response with `no-store` may be stored (RFC 9111, 5.2.2.5). Without its fields the stored response
    /// is outdated.
    func update(_ entry: CacheEntry, to head: StoredResponse, by arrival: Arrival) async {
        let directives = CacheControl(response: arrival.response.headers)
        if directives.isNoStore, !directives.mustUnderstand { return await cache.store.remove(key) }
        // A public response is stored for all users, and one that was not private is stored for more than its sender.
        let (old, new) = (entry.response.freshness.directives, head.freshness.directives)
        if old.isForAll && !new.isForAll || new.isPrivate && !entry.response.variant.isPersonal {
            return await cache.store.remove(key)
        }
        // Without values for the additional fields, requests with other values would select the response.
        guard entry.response.variant.covers(arrival.response.headers) else { return await cache.store.remove(key) }
        var entry = entry
        entry.response = head.storable(after: entry.response, for: request)
        await arrival.ticket?.store { await cache.store.update(entry) }
    }

    private func note(_ response: HTTPResponse, _ reason: CacheStatus.Forward, _ isStored: Bool) {
        note(reason == .miss(.bypass) ? .bypassed : .miss, status(of: response, reason, isStored))
    }

    private func status(of response: HTTPResponse, _ reason: CacheStatus.Forward, _ isStored: Bool) -> CacheStatus {
        var status = CacheStatus(forward: reason)
        (status.forwardStatus, status.isStored) = (response.statusCode, isStored)
        return status
    }
}

extension ResponseBody {
    fileprivate var knownLength: Int64? {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(let url): BodyFile.length(of: url)
        case .stream(let stream): stream.length
        }
    }
}
