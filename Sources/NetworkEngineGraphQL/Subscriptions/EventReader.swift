import Foundation
import NetworkEngine
import NetworkEngineStreams

/// Receives the responses to a subscription as server-sent events.
struct EventReader: SubscriptionReader {
    private var events: ServerSentEvents.Iterator

    init(_ events: ServerSentEvents) { self.events = events.makeAsyncIterator() }

    /// Skips events of other types.
    mutating func next() async throws(GraphQLError) -> Data? {
        do throws(NetworkError) {
            while let event = try await events.next() {
                if event.name == "complete" { return nil }
                if event.name == "next" { return Data(event.data.utf8) }
            }
            // Without another connection the events end with the response, but the subscription is not complete.
            if let response = events.response, response.statusCode != 204 {
                throw NetworkError(
                    .lostMidBody, reason: "the subscription ended without being completed", response: response)
            }
            return nil
        } catch {
            throw GraphQLError(subscriptionFailure: error)
        }
    }
}

extension SubscriptionContext {
    /// The events for a subscription. The request is always a POST with the document's text, regardless of the options.
    func events(of operation: GraphQLOperation) throws(GraphQLError) -> ServerSentEvents {
        var endpoint = try OperationWriter(path: path, encoder: encoder).endpoint(for: operation)
        // Servers compare the whole header with this value.
        endpoint.headers["Accept"] = "text/event-stream"
        var events = httpClient.events(endpoint)
        events.reconnectLimit = options.reconnectLimit
        // Mutations have already been rejected, and subscribing again executes nothing twice.
        events.isRepeatable = true
        // An event without data completes a subscription.
        events.includesEventsWithoutData = true
        return events
    }
}

extension GraphQLError {
    /// The error for a rejected subscription or a failed connection.
    fileprivate init(subscriptionFailure error: NetworkError) {
        var errors = GraphQLResponseBody(of: error)?.errors ?? []
        // Servers that reject a subscription with status 200 send a response instead of events.
        if error.kind == .invalidResponse, let response = error.response {
            errors = (try? GraphQLResponseBody(of: response))?.errors ?? []
        }
        let kind: Kind = errors.isEmpty ? .network : .responseErrors
        self.init(kind: kind, errors: errors, networkError: error, body: error.response?.data ?? Data())
    }
}
