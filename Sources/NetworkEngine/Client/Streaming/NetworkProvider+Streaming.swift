extension NetworkProvider {
    /// The head of a successful response as soon as it is there, with a body to read while it comes.
    ///
    /// Attempts, redirects and the deadline are for what comes before the head. The timeout limits the time without any
    /// byte; after the head it runs only while a reader waits for the next bytes.
    @concurrent
    public func stream(_ target: Target) async throws(NetworkError) -> ResponseStream {
        var options = CallOptions(target: target)
        options.streams = true
        let request = try engine.builder.request(for: target, use: .request)
        let response = try await engine.value(of: request, options, decoding: .response)
        return ResponseStream(response, decoding: engine.standardDecoding(for: target))
    }

    /// The events that a server sends as long as somebody reads them, over one connection after another.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to the head of each
    /// connection. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ target: Target) -> ServerSentEvents {
        let builder = engine.builder
        return engine.events(CallOptions(target: target)) { () throws(NetworkError) in
            try builder.request(for: target, use: .request)
        }
    }

    /// The data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(_ target: Target, as type: Value.Type) -> DecodedEvents<Value> {
        engine.events(events(target), for: target)
    }
}
