import Foundation
import NetworkEngine

extension GraphQLSubscription {
    /// The answers of a subscription, with data and errors as they are.
    public struct Responses: AsyncSequence, Sendable {
        public typealias Element = GraphQLResponse<Value>

        enum Source: Sendable {
            case events(ServerSentEvents, JSONDecoder)
            case listed([GraphQLResponse<Value>], GraphQLError?)
        }

        let source: Source

        public func makeAsyncIterator() -> Iterator { Iterator(source) }

        /// Subscribes when the first answer is asked for.
        public struct Iterator: AsyncIteratorProtocol {
            private enum Reader {
                case events(ServerSentEvents.Iterator, JSONDecoder)
                case listed(ArraySlice<GraphQLResponse<Value>>, GraphQLError?)
                case over
            }

            private var reader: Reader

            init(_ source: Source) {
                switch source {
                case .events(let events, let decoder): reader = .events(events.makeAsyncIterator(), decoder)
                case .listed(let responses, let failure): reader = .listed(responses[...], failure)
                }
            }

            /// The next answer; `nil` when the server has said that there are no more.
            ///
            /// One that cannot be decoded is thrown, and those after it can be read.
            @concurrent
            public mutating func next() async throws(GraphQLError) -> GraphQLResponse<Value>? {
                try await nextAnswer()?.response
            }

            @concurrent
            mutating func nextAnswer() async throws(GraphQLError) -> (response: GraphQLResponse<Value>, body: Data)? {
                switch reader {
                case .over: return nil
                case .listed(var rest, let failure):
                    let response = rest.popFirst()
                    reader = .listed(rest, failure)
                    if let response { return (response, Data()) }
                    reader = .over
                    if let failure { throw failure }
                    return nil
                case .events(var events, let decoder):
                    // In one place only, so that the connection is let go of when the events do so.
                    reader = .over
                    let body: Result<Data?, GraphQLError> = await Self.nextBody(&events)
                    if case .success(nil) = body { return nil }
                    reader = .events(events, decoder)
                    return try body.get().map { body throws(GraphQLError) in
                        (try SubscriptionAnswer(body).response(by: decoder), body)
                    }
                }
            }

            /// The body of the next answer; other events than answers are passed over.
            @concurrent
            private static func nextBody(
                _ events: inout ServerSentEvents.Iterator
            ) async -> Result<Data?, GraphQLError> {
                do throws(NetworkError) {
                    while let event = try await events.next() {
                        if event.name == "complete" { return .success(nil) }
                        if event.name == "next" { return .success(Data(event.data.utf8)) }
                    }
                    return .success(nil)
                } catch {
                    return .failure(SubscriptionAnswer.failure(error))
                }
            }
        }
    }
}
