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
        guard answer.outline.isGraphQL else { throw GraphQLError(kind: .invalidResponse, body: answer.body) }
        do throws(NetworkError) {
            return try answer.json(GraphQLResponse<Value>.self, by: decoder)
        } catch {
            let errors = answer.outline.errors
            throw GraphQLError(kind: .decodingFailed, errors: errors, networkError: error, body: answer.body)
        }
    }

    /// Why a server refused to subscribe, or a connection could not be had.
    static func failure(_ error: NetworkError) -> GraphQLError {
        let body = error.response?.data ?? Data()
        if error.kind == .status, let answer = GraphQLAnswer(of: error), !answer.outline.errors.isEmpty {
            return GraphQLError(
                kind: .responseErrors, errors: answer.outline.errors, networkError: error, body: answer.body)
        }
        return GraphQLError(kind: .network, networkError: error, body: body)
    }
}
