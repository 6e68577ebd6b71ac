/// What a loopback server has seen so far.
public struct LoopbackRecord: Sendable {
    /// The requests whose head has come, in that order.
    public internal(set) var requests: [LoopbackRequest] = []
    /// How many requests have come, kept or not.
    public internal(set) var requestCount = 0
    /// How many requests have come to an end, read whole or given up.
    public internal(set) var finishedRequestCount = 0
    /// How many requests were begun on connections that `.closeOnNextRequest` closed then.
    public internal(set) var abandonedRequestCount = 0
    /// How many bytes of bodies were read.
    public internal(set) var bodyByteCount = 0
    public internal(set) var acceptedConnections = 0
    public internal(set) var openConnections = 0
    /// Why requests were refused as malformed.
    public internal(set) var refusals: [String] = []
    public internal(set) var isStopped = false
}
