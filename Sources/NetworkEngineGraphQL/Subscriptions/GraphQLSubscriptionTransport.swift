import NetworkEngine

/// How a client receives the responses to subscriptions.
///
/// ```swift
/// let client = GraphQLClient(httpClient: httpClient, subscriptions: .events)
/// ```
/// The product `NetworkEngineGraphQLSocket` adds `.webSocket()`.
public struct GraphQLSubscriptionTransport: Sendable {
    /// Creates a reader for each iterator of a subscription.
    package typealias Subscribe =
        @Sendable (GraphQLOperation) throws(GraphQLError) -> @Sendable () -> any SubscriptionReader

    /// Creates the part that one client's subscriptions share.
    let connect: @Sendable (SubscriptionContext) -> Subscribe

    package init(connect: @escaping @Sendable (SubscriptionContext) -> Subscribe) { self.connect = connect }

    /// Server-sent events (`graphql-sse`, distinct connections mode). Each subscription has its own connection.
    public static var events: Self {
        Self { context in
            { operation throws(GraphQLError) in
                let events = try context.events(of: operation)
                return { EventReader(events) }
            }
        }
    }
}

extension GraphQLOperation {
    /// Throws for an operation that does not support subscribing.
    func checkSubscription() throws(GraphQLError) {
        let reason: String
        if !uploads.isEmpty {
            reason = "a subscription sends no files, and the operation has \(uploads.count)"
        } else if DocumentReader(document).kind(of: operationName) == "mutation" {
            // A subscription is sent again after a lost connection.
            reason = "a mutation cannot be subscribed to, because each new connection would execute it again"
        } else {
            return
        }
        throw GraphQLError(kind: .encodingFailed, networkError: NetworkError(kind: .invalidRequest, reason: reason))
    }
}
