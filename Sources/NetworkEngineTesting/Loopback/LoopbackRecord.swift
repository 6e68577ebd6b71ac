/// The events that a loopback server has recorded.
public struct LoopbackRecord: Sendable {
    /// The requests with a complete head, in order of arrival.
    public internal(set) var requests: [LoopbackRequest] = []
    /// The number of requests, recorded or not.
    public internal(set) var requestCount = 0
    /// The number of requests that have ended, complete or not.
    public internal(set) var finishedRequestCount = 0
    /// The number of requests that arrived on connections which `.closeOnNextRequest` then closed.
    public internal(set) var abandonedRequestCount = 0
    /// The number of body bytes that were read.
    public internal(set) var bodyByteCount = 0
    /// The number of accepted connections.
    public internal(set) var acceptedConnections = 0
    /// The number of open connections.
    public internal(set) var openConnections = 0
    /// The reasons for rejecting malformed requests.
    public internal(set) var refusals: [String] = []
    /// Whether the server has stopped and closed its connections.
    public internal(set) var isStopped = false
}

/// A server's record, with support for awaiting changes.
struct LoopbackLog: Sendable {
    private let limit: Int
    private let state = ObservedState(LoopbackRecord())

    init(limit: Int) { self.limit = limit }

    var record: LoopbackRecord { state.value }

    func change(_ body: (inout LoopbackRecord) -> Void) { state.change(body) }

    /// Adds a request after its head has arrived. Returns its index, or `nil` if the request is not recorded.
    func begin(_ request: LoopbackRequest) -> Int? {
        state.change { record in
            record.requestCount += 1
            guard record.requests.count < limit else { return nil }
            record.requests.append(request)
            return record.requests.count - 1
        }
    }

    func finish(_ request: LoopbackRequest, at index: Int?) {
        change { record in
            record.finishedRequestCount += 1
            if let index { record.requests[index] = request }
        }
    }

    func wait<Value>(for condition: (LoopbackRecord) -> Value?) async throws -> Value {
        try await state.wait { record in
            if let value = condition(record) { return value }
            if record.isStopped { throw CancellationError() }
            return nil
        }
    }
}
