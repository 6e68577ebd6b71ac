import NetworkEngine

extension GraphQLClient {
    /// The answers to a subscription, for as long as somebody listens; nothing is sent before.
    ///
    /// By POST and with its text, whatever the options say.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value> {
        do throws(GraphQLError) {
            var endpoint = try OperationWriter(path: path, encoder: encoder, usesGET: false).endpoint(for: operation)
            // Exactly this, since servers compare it as a whole.
            endpoint.headers["Accept"] = "text/event-stream"
            var events = httpClient.events(endpoint)
            events.reconnectLimit = options.reconnectLimit
            // The end of a subscription is an event without data.
            events.givesEventsWithoutData = true
            return GraphQLSubscription(events, decoder: decoder)
        } catch {
            return GraphQLSubscription([], failure: error)
        }
    }
}
