import Foundation
import NetworkEngine

extension HTTPClientContract {
    /// Calls an endpoint and makes something of the answer of a GraphQL server, whatever its status.
    ///
    /// An `HTTPClient` reads within the call, so that its deadline holds for the reading too.
    func answer<Output: Sendable>(
        to endpoint: Endpoint,
        body: RequestBody? = nil,
        _ read: @escaping @Sendable (GraphQLAnswer) throws(GraphQLError) -> Output
    ) async throws(GraphQLError) -> Output {
        let result: Result<Output, GraphQLError>
        do throws(NetworkError) {
            if let client = self as? HTTPClient {
                var call = TypedEndpoint(endpoint, decoding: .custom { data, _ in data.answer(read) })
                if let body { call.building = { $0.body = body } }
                result = try await client.request(call)
            } else if let body {
                result = try await request(endpoint, body: body).answer(read)
            } else {
                result = try await (request(endpoint) as Data).answer(read)
            }
        } catch {
            if error.kind == .status, let answer = GraphQLAnswer(of: error) { return try read(answer) }
            let kind: GraphQLError.Kind = error.kind == .decoding ? .decodingFailed : .network
            throw GraphQLError(kind: kind, networkError: error, body: error.response?.data ?? Data())
        }
        return try result.get()
    }
}

extension Data {
    fileprivate func answer<Output>(
        _ read: (GraphQLAnswer) throws(GraphQLError) -> Output
    ) -> Result<Output, GraphQLError> {
        let answer: GraphQLAnswer
        do throws(NetworkError) {
            answer = try GraphQLAnswer(self)
        } catch {
            return .failure(GraphQLError(kind: .decodingFailed, networkError: error, body: self))
        }
        return Result { () throws(GraphQLError) in try read(answer) }
    }
}
