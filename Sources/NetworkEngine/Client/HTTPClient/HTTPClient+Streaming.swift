extension HTTPClient {
    /// The head of a successful response as soon as it is there, with a body to read while it comes.
    ///
    /// Attempts, redirects and the deadline are for what comes before the head. The timeout limits the time without any
    /// byte; after the head it runs only while a reader waits for the next bytes.
    @concurrent
    public func stream(_ endpoint: Endpoint) async throws(NetworkError) -> ResponseStream {
        let call = ClientCall(.endpoint(endpoint, building: nil), below: baseURL)
        var options = CallOptions(target: call)
        options.streams = true
        let request = try call.request(by: engine.builder.rules)
        let response = try await engine.value(of: request, options, decoding: .response)
        return ResponseStream(response, decoding: engine.standardDecoding(for: call))
    }

    /// The events that a server sends as long as somebody reads them, over one connection after another.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to the head of each
    /// connection. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ endpoint: Endpoint) -> ServerSentEvents {
        let call = ClientCall(.endpoint(endpoint, building: nil), below: baseURL)
        let rules = engine.builder.rules
        return engine.events(CallOptions(target: call)) { () throws(NetworkError) in try call.request(by: rules) }
    }

    /// The data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(_ endpoint: Endpoint, as type: Value.Type) -> DecodedEvents<Value> {
        engine.events(events(endpoint), for: ClientCall(.endpoint(endpoint, building: nil), below: baseURL))
    }
}
