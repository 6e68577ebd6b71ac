import Foundation
import NetworkEngine

/// Stores a response body while it is read, without ever holding it in memory twice.
struct BodyRecorder: Sendable {
    private let key: CacheKey
    private let cache: ResponseCache
    private let ticket: PendingStores.Ticket?
    /// The head of the received response.
    private let received: StoredResponse
    /// The head to store.
    private var head: StoredResponse
    /// The stored bytes before and after the received ones.
    private var before: BodyStream?
    private var after: BodyStream?

    init(_ head: StoredResponse, for key: CacheKey, in cache: ResponseCache, ticket: PendingStores.Ticket?) {
        self.key = key
        self.cache = cache
        self.ticket = ticket
        received = head
        self.head = head
    }

    /// Stores the received part combined with the bytes of a stored one.
    func combining(_ content: PartialContent, with entry: CacheEntry) -> BodyRecorder {
        guard (try? entry.body.isIntact()) == true else { return self }
        var recorder = self
        recorder.head = content.response
        var isBehind = false
        for piece in content.pieces {
            switch piece {
            case .received: isBehind = true
            case .stored(let range) where isBehind: recorder.after = entry.body.stream(range)
            case .stored(let range): recorder.before = entry.body.stream(range)
            }
        }
        return recorder
    }

    /// The response. It is stored now if its body is complete, or otherwise at the end of its stream.
    func recorded(_ response: HTTPResponse) async -> HTTPResponse {
        var response = response
        switch response.body {
        case .data(let data):
            guard isComplete(Int64(data.count), of: response, nil) else { return response }
            let tape = tape
            guard await tape.add(data) else { return response }
            await tape.finish()
        case .file(let url):
            let file = BodyStream(segments: [BodyStream.Segment(.file(url), length: nil)]).reading()
            let tape = tape
            var count: Int64 = 0
            do {
                while let piece = try await file.next() {
                    count += Int64(piece.count)
                    guard await tape.add(piece) else { return response }
                }
            } catch {
                // A canceled call stops reading, and what it has read is incomplete.
                return response
            }
            if isComplete(count, of: response, nil) { await tape.finish() }
        case .stream(let stream):
            response.body = .stream(recording(stream, of: response))
        }
        return response
    }

    /// The response with the stored bytes before and after its body; `nil` if its body length differs from its head.
    ///
    /// - Parameter limit: the number of bytes that may be in memory; `nil` for a body that is read as it arrives.
    func recordedWhole(_ part: HTTPResponse, inMemoryUpTo limit: Int64?) async throws -> HTTPResponse? {
        var whole = await recorded(part)
        (whole.statusCode, whole.headers, whole.source) = (head.statusCode, head.headers, .revalidated)
        whole.headers["Authentication-Info"] = part.headers["Authentication-Info"]
        let middle: BodyStream
        switch whole.body {
        case .stream(let stream): middle = stream
        case .data(let data):
            guard Int64(data.count) == received.bodyLength else { return nil }
            middle = BodyStream(segments: [BodyStream.Segment(.data(data), length: Int64(data.count))])
        case .file(let url):
            middle = BodyStream(segments: [BodyStream.Segment(.file(url), length: received.bodyLength)])
        }
        let segments = [before, middle, after].compactMap(\.self).map {
            BodyStream.Segment(.stream($0), length: $0.length)
        }
        let stream = BodyStream(segments: segments)
        guard let limit else {
            whole.body = .stream(stream)
            return whole
        }
        var data = Data()
        for try await piece in stream {
            guard Int64(data.count + piece.count) <= limit else {
                part.discardFile()
                throw NetworkError(
                    .limitExceeded, reason: "the body is larger than the limit of \(limit) bytes",
                    request: part.request)
            }
            data += piece
        }
        whole.body = .data(data)
        part.discardFile()
        return whole
    }

    private func recording(_ stream: BodyStream, of response: HTTPResponse) -> BodyStream {
        let isMeasured = stream.length != nil || received.part != nil
        let limit: Int64 = isMeasured ? .max : cache.store.unmeasuredBodyLimit
        return BodyStream(length: stream.length, isReplayable: stream.isReplayable) {
            let reading = stream.reading()
            let tape = tape
            let count = Locked<Int64>(0)
            return BodyStream.Reading {
                if let piece = try await reading.next() {
                    let total = count.withLock { count -> Int64 in
                        count += Int64(piece.count)
                        return count
                    }
                    if total <= limit { _ = await tape.add(piece) } else { tape.fail() }
                    return piece
                }
                if isComplete(count.withLock { $0 }, of: response, stream.length) { await tape.finish() }
                return nil
            }
        }
    }

    /// Whether a body has the length declared in its head.
    private func isComplete(_ count: Int64, of response: HTTPResponse, _ length: Int64?) -> Bool {
        if let part = received.part { return count == Int64(part.bounds.count) }
        if let length { return count == length }
        guard let text = received.headers["Content-Length"], !response.headers.contains("Content-Encoding") else {
            return true
        }
        return Int64(text) == count
    }

    private var tape: Tape { Tape(head, before, after, key, cache, ticket) }
}

/// Writes one body. Only one task uses it at a time.
private final class Tape: Sendable {
    private struct State {
        var writer: (any CacheWriter)?
        var hasFailed = false
    }

    private let head: StoredResponse
    private let before: BodyStream?
    private let after: BodyStream?
    private let key: CacheKey
    private let cache: ResponseCache
    private let ticket: PendingStores.Ticket?
    private let state = Locked(State())

    init(
        _ head: StoredResponse, _ before: BodyStream?, _ after: BodyStream?, _ key: CacheKey, _ cache: ResponseCache,
        _ ticket: PendingStores.Ticket?
    ) {
        self.head = head
        self.before = before
        self.after = after
        self.key = key
        self.cache = cache
        self.ticket = ticket
    }

    /// Writes a piece. Returns `false` if the body can no longer be stored.
    func add(_ piece: Data) async -> Bool {
        guard let writer = await writer() else { return false }
        if await writer.write(piece) { return true }
        fail()
        return false
    }

    /// Stores the complete body.
    func finish() async {
        guard let writer = await writer(), await copy(after, to: writer) else { return }
        await ticket?.store { await writer.commit(head) }
    }

    private func writer() async -> (any CacheWriter)? {
        let (writer, hasFailed) = state.withLock { ($0.writer, $0.hasFailed) }
        if writer != nil || hasFailed { return writer }
        let first = await cache.store.writer(for: key)
        guard await copy(before, to: first) else {
            fail()
            return nil
        }
        state.withLock { $0.writer = first }
        return first
    }

    private func copy(_ stream: BodyStream?, to writer: any CacheWriter) async -> Bool {
        guard let reading = stream?.reading() else { return true }
        do {
            while let piece = try await reading.next() {
                guard await writer.write(piece) else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// Gives up. Nothing is stored.
    func fail() {
        // The writer is released outside the lock.
        let writer = state.withLock { state in
            state.hasFailed = true
            return state.writer.take()
        }
        withExtendedLifetime(writer) {}
    }
}
