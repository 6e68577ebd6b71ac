package import Foundation
import NetworkEngine

/// A GraphQL error that passes through the underlying client.
package struct CarriedError: Error {
    let error: GraphQLError

    /// Runs a decoding in the underlying client's call.
    static func carrying<Value>(_ decode: () throws(GraphQLError) -> Value) throws(CarriedError) -> Value {
        do throws(GraphQLError) {
            return try decode()
        } catch {
            throw CarriedError(error: error)
        }
    }
}

extension GraphQLError {
    /// A call's error, for an error of the underlying client.
    init(_ error: NetworkError) {
        if let carried = error.underlying as? CarriedError {
            self = carried.error
        } else {
            let kind: Kind = error.kind == .decoding ? .decodingFailed : .network
            self.init(kind: kind, networkError: error, body: error.response?.data ?? Data())
        }
    }

    /// This error, wrapped for the client above.
    var carried: NetworkError { NetworkError(kind: .decoding, underlying: CarriedError(error: self)) }
}

extension ResponseDecoding where Value: Decodable & Sendable {
    /// The data in a GraphQL response.
    static var graphQLData: Self {
        Self { response, decoder in
            try CarriedError.carrying { () throws(GraphQLError) in
                try GraphQLResponseBody(response.data).data(by: decoder)
            }
        }
    }
}

extension ResponseDecoding {
    /// A GraphQL response with its data and errors.
    static func graphQLResponse<Body: Decodable & Sendable>() -> Self where Value == GraphQLResponse<Body> {
        Self { response, decoder in
            try CarriedError.carrying { () throws(GraphQLError) in
                try GraphQLResponseBody(response.data).response(by: decoder)
            }
        }
    }

    /// A subscription. Only a client or a mock can create one.
    static func subscription<Body: Decodable & Sendable>() -> Self where Value == GraphQLSubscription<Body> {
        Self(decodesBody: false) { response, _ in
            let reason = "the calls do not support subscriptions"
            throw NetworkError(kind: .unsupported, reason: reason, response: response)
        }
    }
}

/// A type that a mock can create from the data alone.
package protocol GraphQLValue {
    /// `nil` if the value requires another data type.
    init?(mocking data: any Sendable)
    /// The value without data.
    static var empty: Self { get }
}

extension GraphQLResponse: GraphQLValue {
    package init?(mocking data: any Sendable) {
        guard let data = data as? Value else { return nil }
        self.init(data: data, errors: nil)
    }

    package static var empty: GraphQLResponse { GraphQLResponse() }
}

extension GraphQLSubscription: GraphQLValue {
    package init?(mocking data: any Sendable) {
        if let values = data as? [Value] {
            self.init(values.map { GraphQLResponse(data: $0) })
        } else if let value = data as? Value {
            self.init([GraphQLResponse(data: value)])
        } else {
            return nil
        }
    }

    package static var empty: GraphQLSubscription { GraphQLSubscription([]) }
}

/// A type that a client creates from the responses to a subscription.
package protocol SubscribedValue {
    /// - Parameter operation: the subscribed operation, for errors.
    init(
        decoder: JSONDecoder,
        reader: @escaping @Sendable () -> any SubscriptionReader,
        operation: GraphQLOperation
    )
}

extension GraphQLSubscription: SubscribedValue {}
