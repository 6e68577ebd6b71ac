public import NetworkEngine

extension NetworkCalling {
    /// Returns the events from a server, with the calls' error type.
    public func events(_ request: Request) -> MappedSequence<ServerSentEvents, Failure> {
        MappedSequence(ServerSentEvents(of: request, by: self)) { mappedAny($0) }
    }

    /// Returns the data of a server's events, decoded as JSON, with the calls' error type.
    public func events<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type
    ) -> MappedSequence<DecodedEvents<Value>, Failure> {
        MappedSequence(DecodedEvents(ServerSentEvents(of: request, by: self))) { mappedAny($0) }
    }
}

extension NetworkCalling where Failure == NetworkError {
    /// Returns the events from a server.
    ///
    /// They reconnect when a connection ends, if the request is repeatable: a GET, or one that you declare repeatable
    /// with `ServerSentEvents.isRepeatable`.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to each
    /// connection's response head. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ request: Request) -> ServerSentEvents { ServerSentEvents(of: request, by: self) }

    /// Returns the data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type
    ) -> DecodedEvents<Value> {
        DecodedEvents(events(request))
    }
}

extension ServerSentEvents {
    /// Creates events that send the request again for each connection.
    fileprivate init<Calls: NetworkCalling>(of request: Calls.Request, by calls: Calls) {
        self.init { connection, session throws(NetworkError) in
            let lastEventID = Locked("")
            var settings = CallSettings()
            settings.session = session
            settings.streamTimeout = connection.idleTimeout.map { .limited($0) } ?? .unlimited
            settings.change = { request, _ throws(NetworkError) in
                connection.method.withLock { [method = request.method] in $0 = method }
                request.headers["Accept"] = request.headers["Accept"] ?? "text/event-stream"
                request.headers["Cache-Control"] = request.headers["Cache-Control"] ?? "no-cache, no-store"
                if let lastEventID = connection.lastEventID {
                    request.headers["Last-Event-ID"] = lastEventID.isEmpty ? nil : lastEventID
                }
                let sent = request.headers["Last-Event-ID"] ?? ""
                lastEventID.withLock { $0 = sent }
            }
            let stream = try await calls.runUnmapped(request, .stream, settings: settings)
            return (stream, lastEventID.withLock { $0 })
        }
    }
}
