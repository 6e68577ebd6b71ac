extension RequestEngine {
    /// The events that a server sends, over one connection after another, each asked for with a request built anew.
    func events(
        _ options: CallOptions,
        request build: @escaping @Sendable () throws(NetworkError) -> HTTPRequest
    ) -> ServerSentEvents {
        ServerSentEvents(clock: configuration.clock, begin: { self.notesFromNow }) {
            lastEventID, notes throws(NetworkError) in
            var options = options
            options.notes = notes?.copy
            options.streams = true
            var request = try build()
            request.headers["Accept"] = request.headers["Accept"] ?? "text/event-stream"
            request.headers["Cache-Control"] = request.headers["Cache-Control"] ?? "no-store"
            if !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
            return ResponseStream(try await self.value(of: request, options, decoding: .response))
        }
    }
}
