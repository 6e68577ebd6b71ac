import NetworkEngine

/// The step of an exchange that answers a request from the cache, and stores the server's response.
struct CacheLayer: Sendable {
    typealias Send = InterceptorChain.Exchange

    let cache: ResponseCache
    /// Sends a request to the server.
    let send: Send
    private let tasks = BackgroundTasks()

    init(_ cache: ResponseCache, send: @escaping Send) {
        self.cache = cache
        self.send = send
    }

    /// Answers a request from the cache, from the server, or from both.
    func answer(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPResponse {
        let policy = context.target?.cachePolicy ?? .useProtocol
        var request = request
        request.secrets = (request.secrets ?? RequestSecrets()).adding(sender: cache.senders.sender(of: request))
        let exchange = CachedExchange(request, context, in: cache, policy: policy, send: send) {
            [request] entry, ticket in
            validateInBackground(entry, for: request, context.inBackground(while: ticket))
        }
        return try await exchange.response()
    }

    /// Validates a stored response after its use, unless it is already being validated.
    private func validateInBackground(_ entry: CacheEntry, for request: HTTPRequest, _ context: RequestContext) {
        let cache = cache
        guard case .first = cache.validations.begin(entry.token, for: context.requestID) else { return }
        var request = request
        request.method = .get
        request.headers.removeAll { name in
            ["Range", "If-Range", "If-None-Match", "If-Modified-Since"].contains { $0.equalsIgnoringASCIICase(name) }
        }
        // The task does not retain this layer, because the layer's deinitialization cancels the task.
        let exchange = CachedExchange(request, context, in: cache, policy: .useProtocol, send: send)
        let hasStarted = tasks.start {
            await exchange.validateInBackground(entry)
            cache.validations.end(entry.token)
        }
        if !hasStarted { cache.validations.end(entry.token) }
    }
}

extension RequestContext {
    /// The context of an exchange that no call waits for.
    ///
    /// - Parameter ticket: once the response to validate is removed, the exchange is not sent.
    fileprivate func inBackground(while ticket: PendingStores.Ticket?) -> RequestContext {
        var values = TransportContext.Values()
        values.streamsBody = true
        values.keepsPermit = true
        values.deadline = call.options.transport.deadline
        values.limits = call.options.transport.limits
        values.departure = ValidationDeparture(departure: call.options.transport.departure, ticket: ticket)
        values.priority = .low
        values.followsRedirects = call.options.transport.followsRedirects
        var options = CallOptions(target: call.options.target, transport: TransportContext(values))
        options.base = call.options.base
        options.commonHeaders = call.options.commonHeaders
        options.sharingKey = call.options.sharingKey
        options.attemptLimit = 1
        options.storage = CallStorage()
        options.timers = call.options.timers
        options.exchangesKeepDeadline = true
        return RequestContext(call: Call(options), attempt: 1)
    }
}

/// The departure of a call for a request that must not be sent once the response to validate is removed.
private struct ValidationDeparture: Departure {
    let departure: (any Departure)?
    let ticket: PendingStores.Ticket?

    func refusal(of request: HTTPRequest) -> NetworkError? {
        departure?.refusal(of: request) ?? (ticket?.isValid == false ? .cancelled(request) : nil)
    }

    func begin(_ request: HTTPRequest) -> NetworkError? {
        if let error = refusal(of: request) { return error }
        return departure?.begin(request)
    }

    func end() { departure?.end() }
}
