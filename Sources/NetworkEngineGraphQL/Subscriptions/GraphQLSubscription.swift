import Foundation
import NetworkEngine

/// What a server says about a subscription, value by value, for as long as somebody listens.
///
/// ```swift
/// let added = GraphQLOperation(document: "subscription { userAdded { name } }")
/// for try await user in client.subscribe(to: added, as: UserAdded.self) { show(user) }
/// ```
/// Over server-sent events, one connection for each subscription (`graphql-sse`, distinct connections mode). It ends when
/// the server says that it is complete. A connection that breaks before is followed by another one, which subscribes anew:
/// what happened in between is lost unless the server goes on from the last event's identifier. Whoever stops listening
/// ends the connection.
///
/// An answer with errors is thrown as `.responseErrors`, with the data that came beside them, and those after it can be
/// read from the same iterator; `responses` gives them as they are.
public struct GraphQLSubscription<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    /// Every answer with data and errors as they are.
    public let responses: Responses

    /// A subscription that says just this, for mocks: some answers, and then the end or a failure.
    public init(_ responses: [GraphQLResponse<Value>], failure: GraphQLError? = nil) {
        self.responses = Responses(source: .listed(responses, failure))
    }

    init(_ events: ServerSentEvents, decoder: JSONDecoder) {
        responses = Responses(source: .events(events, decoder))
    }

    public func makeAsyncIterator() -> Iterator { Iterator(responses: responses.makeAsyncIterator()) }

    /// Subscribes when the first value is asked for.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var responses: Responses.Iterator

        /// The next value; `nil` when the server has said that there are no more.
        @concurrent
        public mutating func next() async throws(GraphQLError) -> Value? {
            guard let (response, body) = try await responses.nextAnswer() else { return nil }
            if let errors = response.errors, !errors.isEmpty {
                throw GraphQLError(kind: .responseErrors, errors: errors, body: body)
            }
            guard let data = response.data else { throw GraphQLError(kind: .invalidResponse, body: body) }
            return data
        }
    }
}
