/// The record of a server, and those who wait for it to change.
struct LoopbackLog: Sendable {
    private let limit: Int
    private let watched = Watched(LoopbackRecord())

    init(limit: Int) { self.limit = limit }

    var record: LoopbackRecord { watched.value }

    func change(_ body: (inout LoopbackRecord) -> Void) { watched.change(body) }

    /// Adds a request whose head has come; returns its place, or `nil` when it is not kept.
    func begin(_ request: LoopbackRequest) -> Int? {
        watched.change { record in
            record.requestCount += 1
            guard record.requests.count < limit else { return nil }
            record.requests.append(request)
            return record.requests.count - 1
        }
    }

    /// Notes how a request ended.
    func finish(_ request: LoopbackRequest, at place: Int?) {
        change { record in
            record.finishedRequestCount += 1
            if let place { record.requests[place] = request }
        }
    }

    /// Waits until the record satisfies a condition; throws when cancelled, or stopped before that.
    func wait<Value>(for condition: (LoopbackRecord) -> Value?) async throws -> Value {
        try await watched.wait { record in
            if let value = condition(record) { return value }
            if record.isStopped { throw CancellationError() }
            return nil
        }
    }
}
