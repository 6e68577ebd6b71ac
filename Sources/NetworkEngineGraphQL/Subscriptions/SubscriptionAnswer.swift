import Foundation
import NetworkEngine

/// One answer of a subscription, as it came in an event.
struct SubscriptionAnswer {
    private let answer: GraphQLAnswer

    init(_ body: Data) throws(GraphQLError) {
        do throws(NetworkError) {
            answer = try GraphQLAnswer(body)
        } catch {
            throw GraphQLError(kind: .decodingFailed, networkError: error, body: body)
        }
    }

    func response<Value: Decodable>(by decoder: JSONDecoder) throws(GraphQLError) -> GraphQLResponse<Value> {
        try answer.response(by: decoder)
    }

    /// Why a server refused to subscribe, or a connection could not be had.
    static func failure(_ error: NetworkError) -> GraphQLError {
        let body = error.response?.data ?? Data()
        if error.kind == .status, let answer = GraphQLAnswer(of: error), !answer.errors.isEmpty {
            return GraphQLError(kind: .responseErrors, errors: answer.errors, networkError: error, body: answer.body)
        }
        return GraphQLError(kind: .network, networkError: error, body: body)
    }
}
