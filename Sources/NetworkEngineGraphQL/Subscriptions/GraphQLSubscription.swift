package import Foundation
import NetworkEngine

/// The values from a server for a subscription.
///
/// ```swift
/// let added = GraphQLOperation(document: "subscription { userAdded { name } }")
/// for try await user in client.subscribe(to: added, as: UserAdded.self) { show(user) }
/// ```
/// The client's `GraphQLSubscriptionTransport` receives the values. The sequence ends when the server completes it.
/// Breaking out of the loop ends the subscription. After a lost connection, the sequence reconnects and subscribes
/// again. Values sent in between are lost, unless the server resumes after the last event's identifier.
///
/// A response with errors throws `.responseErrors` with the partial data. The same iterator then continues with the
/// next response. `responses` returns such responses instead of throwing.
public struct GraphQLSubscription<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The responses with their data and errors.
    public let responses: Responses

    /// Creates a subscription for mocks. It returns the given responses and then ends or fails.
    public init(_ responses: [GraphQLResponse<Value>], failure: GraphQLError? = nil) {
        self.responses = Responses(source: .fixed(responses, failure))
    }

    /// Creates a subscription for mocks. Each iterator creates it again when the first value is requested.
    init(
        deferred: @escaping @Sendable @concurrent () async throws(GraphQLError) -> GraphQLSubscription<Value>
    ) {
        responses = Responses(
            source: .deferred { () async throws(GraphQLError) in try await deferred().responses })
    }

    package init(
        decoder: JSONDecoder,
        reader: @escaping @Sendable () -> any SubscriptionReader,
        operation: GraphQLOperation
    ) {
        responses = Responses(source: .server(reader, decoder, operation))
    }

    public func makeAsyncIterator() -> Iterator { Iterator(responses: responses.makeAsyncIterator()) }

    /// Subscribes when the first value is requested.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var responses: Responses.Iterator

        /// Returns the next value; `nil` after the server has completed the subscription.
        @concurrent
        public mutating func next() async throws(GraphQLError) -> Value? {
            guard let (response, body) = try await responses.nextWithBody() else { return nil }
            if let errors = response.errors, !errors.isEmpty {
                throw responses.completed(GraphQLError(kind: .responseErrors, errors: errors, body: body))
            }
            guard let data = response.data else {
                throw responses.completed(GraphQLError(kind: .invalidResponse, body: body))
            }
            return data
        }
    }
}

extension GraphQLSubscription {
    /// The responses to a subscription, with their data and errors.
    public struct Responses: AsyncSequence, Sendable {
        fileprivate enum Source: Sendable {
            case server(@Sendable () -> any SubscriptionReader, JSONDecoder, GraphQLOperation)
            case fixed([GraphQLResponse<Value>], GraphQLError?)
            case deferred(@Sendable @concurrent () async throws(GraphQLError) -> Responses)
        }

        fileprivate let source: Source

        public func makeAsyncIterator() -> Iterator { Iterator(source) }

        /// Subscribes when the first response is requested.
        public struct Iterator: AsyncIteratorProtocol {
            private enum Reader {
                case server(any SubscriptionReader, JSONDecoder, GraphQLOperation)
                case fixed(ArraySlice<GraphQLResponse<Value>>, GraphQLError?)
                case deferred(@Sendable @concurrent () async throws(GraphQLError) -> Responses)
                case finished
            }

            private var reader: Reader

            fileprivate init(_ source: Source) {
                switch source {
                case .server(let make, let decoder, let operation): reader = .server(make(), decoder, operation)
                case .fixed(let responses, let failure): reader = .fixed(responses[...], failure)
                case .deferred(let responses): reader = .deferred(responses)
                }
            }

            /// Returns the next response; `nil` after the server has completed the subscription.
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
                case .server(var server, let decoder, let operation):
                    // A second copy of the reader would keep the connection open.
                    reader = .finished
                    let body: Result<Data?, GraphQLError>
                    do throws(GraphQLError) {
                        body = .success(try await server.next())
                    } catch {
                        body = .failure(error)
                    }
                    if case .success(nil) = body { return nil }
                    reader = .server(server, decoder, operation)
                    do throws(GraphQLError) {
                        guard let bytes = try body.get() else { return nil }
                        let response: GraphQLResponse<Value> = try GraphQLResponseBody(bytes)
                            .response(by: BodyDecoder(decoder))
                        return (response, bytes)
                    } catch {
                        throw completed(error)
                    }
                }
            }

            /// An error with the client's information about the operation. A mock's subscription has no operation.
            fileprivate func completed(_ error: GraphQLError) -> GraphQLError {
                guard case .server(_, let decoder, let operation) = reader else { return error }
                return error.completed(by: operation, decoder)
            }
        }
    }
}
