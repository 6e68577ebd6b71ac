package import Foundation
package import NetworkEngine

/// Receives the responses to one subscription.
package protocol SubscriptionReader {
    /// Returns the body of the next response; `nil` after the server has completed the subscription.
    ///
    /// The first call subscribes.
    @concurrent
    mutating func next() async throws(GraphQLError) -> Data?
}

/// The parts of a client that subscriptions need.
package struct SubscriptionContext: Sendable {
    package let httpClient: any HTTPClientContract
    /// The path of the client's endpoint.
    package let path: EndpointPath
    let encoder: JSONEncoder
    let options: GraphQLClientOptions

    /// An operation's members as JSON.
    package func body(of operation: GraphQLOperation) throws(GraphQLError) -> Data {
        try OperationWriter(path: path, encoder: encoder).body(of: operation)
    }
}
