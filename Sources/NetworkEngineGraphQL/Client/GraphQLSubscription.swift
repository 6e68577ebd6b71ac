import Foundation
import NetworkEngine
import NetworkEngineStreams

/// The values that a server sends for a subscription.
///
/// ```swift
/// let added = GraphQLOperation(document: "subscription { userAdded { name } }")
/// for try await user in client.subscribe(to: added, as: UserAdded.self) { show(user) }
/// ```
/// Each subscription uses one connection with server-sent events (`graphql-sse`, distinct connections mode). The
/// sequence ends when the server sends a `complete` event. Breaking out of the loop closes the connection. After a lost
/// connection, the sequence reconnects and subscribes again. Values sent in between are lost, unless the server resumes
/// after the last event's identifier.
///
/// A response with errors throws `.responseErrors` with the partial data. The same iterator then continues with the
/// next response. `responses` returns such responses instead of throwing.
public struct GraphQLSubscription<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    /// The responses with their data and errors.
    public let responses: Responses

    /// Creates a subscription for mocks. It returns the given responses and then ends or fails.
    public init(_ responses: [GraphQLResponse<Value>], failure: GraphQLError? = nil) {
        self.responses = Responses(source: .fixed(responses, failure))
    }

    /// Creates a subscription for mocks. It is made anew by each iterator, when the first value is requested.
    package init(
        deferred: @escaping @Sendable @concurrent () async throws(GraphQLError) -> GraphQLSubscription<Value>
    ) {
        responses = Responses(
            source: .deferred { () async throws(GraphQLError) in try await deferred().responses })
    }

    init(_ events: ServerSentEvents, decoder: JSONDecoder) {
        responses = Responses(source: .events(events, decoder))
    }

    public func makeAsyncIterator() -> Iterator { Iterator(responses: responses.makeAsyncIterator()) }

    /// Subscribes when the first value is requested.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var responses: Responses.Iterator

        /// Returns the next value; `nil` after the server completed the subscription.
        @concurrent
        public mutating func next() async throws(GraphQLError) -> Value? {
            guard let (response, body) = try await responses.nextWithBody() else { return nil }
            if let errors = response.errors, !errors.isEmpty {
                throw GraphQLError(kind: .responseErrors, errors: errors, body: body)
            }
            guard let data = response.data else { throw GraphQLError(kind: .invalidResponse, body: body) }
            return data
        }
    }
}

extension GraphQLSubscription {
    /// The responses to a subscription, with their data and errors.
    public struct Responses: AsyncSequence, Sendable {
        public typealias Element = GraphQLResponse<Value>

        fileprivate enum Source: Sendable {
            case events(ServerSentEvents, JSONDecoder)
            case fixed([GraphQLResponse<Value>], GraphQLError?)
            case deferred(@Sendable @concurrent () async throws(GraphQLError) -> Responses)
        }

        fileprivate let source: Source

        public func makeAsyncIterator() -> Iterator { Iterator(source) }

        /// Subscribes when the first response is requested.
        public struct Iterator: AsyncIteratorProtocol {
            private enum Reader {
                case events(ServerSentEvents.Iterator, JSONDecoder)
                case fixed(ArraySlice<GraphQLResponse<Value>>, GraphQLError?)
                case deferred(@Sendable @concurrent () async throws(GraphQLError) -> Responses)
                case finished
            }

            private var reader: Reader

            fileprivate init(_ source: Source) {
                switch source {
                case .events(let events, let decoder): reader = .events(events.makeAsyncIterator(), decoder)
                case .fixed(let responses, let failure): reader = .fixed(responses[...], failure)
                case .deferred(let responses): reader = .deferred(responses)
                }
            }

            /// Returns the next response; `nil` after the server completed the subscription.
            ///
            /// If a response cannot be decoded, this throws. The next call continues with the next response.
            @concurrent
            public mutating func next() async throws(GraphQLError) -> GraphQLResponse<Value>? {
                try await nextWithBody()?.response
            }

            @concurrent
            fileprivate mutating func nextWithBody() async throws(GraphQLError)
                -> (response: GraphQLResponse<Value>, body: Data)?
            {
                switch reader {
                case .finished: return nil
                case .deferred(let responses):
                    reader = .finished
                    reader = Iterator(try await responses().source).reader
                    return try await nextWithBody()
                case .fixed(var rest, let failure):
                    let response = rest.popFirst()
                    reader = .fixed(rest, failure)
                    if let response { return (response, Data()) }
                    reader = .finished
                    if let failure { throw failure }
                    return nil
                case .events(var events, let decoder):
                    // A second copy of the iterator would keep the connection open.
                    reader = .finished
                    let body: Result<Data?, GraphQLError> = await Self.nextBody(of: &events)
                    if case .success(nil) = body { return nil }
                    reader = .events(events, decoder)
                    return try body.get().map { body throws(GraphQLError) in
                        (try GraphQLResponseBody(body).response(by: BodyDecoder(decoder)), body)
                    }
                }
            }

            /// Returns the body of the next response; `nil` at the end. Skips events of other types.
            @concurrent
            private static func nextBody(
                of events: inout ServerSentEvents.Iterator
            ) async -> Result<Data?, GraphQLError> {
                do throws(NetworkError) {
                    while let event = try await events.next() {
                        if event.name == "complete" { return .success(nil) }
                        if event.name == "next" { return .success(Data(event.data.utf8)) }
                    }
                    return .success(nil)
                } catch {
                    return .failure(GraphQLError(subscriptionFailure: error))
                }
            }
        }
    }
}

extension GraphQLError {
    /// The error for a rejected subscription or a failed connection.
    fileprivate init(subscriptionFailure error: NetworkError) {
        let errors = GraphQLResponseBody(of: error)?.errors ?? []
        let kind: Kind = errors.isEmpty ? .network : .responseErrors
        self.init(kind: kind, errors: errors, networkError: error, body: error.response?.data ?? Data())
    }
}
