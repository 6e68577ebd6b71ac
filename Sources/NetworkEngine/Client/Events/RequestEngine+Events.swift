extension RequestEngine {
    /// The events that a server sends, over one connection after another, each asked for with a request built anew.
    func events(
        _ options: CallOptions,
        request build: @escaping @Sendable () throws(NetworkError) -> HTTPRequest
    ) -> ServerSentEvents {
        ServerSentEvents(clock: configuration.clock, begin: { self.newStorage }) {
            connection, storage throws(NetworkError) in
            var options = options
            options.storage = storage?.copy
            options.streams = true
            options.streamTimeout = connection.idleTimeout.map { .limited($0) } ?? .unlimited
            var request = try build()
            request.headers["Accept"] = request.headers["Accept"] ?? "text/event-stream"
            request.headers["Cache-Control"] = request.headers["Cache-Control"] ?? "no-cache"
            if let lastEventID = connection.lastEventID {
                request.headers["Last-Event-ID"] = lastEventID.isEmpty ? nil : lastEventID
            }
            let lastEventID = request.headers["Last-Event-ID"] ?? ""
            return (ResponseStream(try await self.value(of: request, options, decoding: .response)), lastEventID)
        }
    }

    /// The same events, each with its data decoded.
    func events<Value: Decodable & Sendable>(_ events: ServerSentEvents, for target: any TargetType)
        -> DecodedEvents<Value>
    {
        DecodedEvents(events, decoder: decoder(for: target))
    }
}
