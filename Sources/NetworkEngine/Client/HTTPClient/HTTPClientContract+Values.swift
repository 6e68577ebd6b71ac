import Foundation

extension HTTPClientContract {
    /// Returns the decoded body of a successful response, of the type that is named. For `Data` it returns the bytes.
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type
    ) async throws(NetworkError) -> Value {
        if let bytes = try await bytes(of: endpoint, as: type) { return bytes }
        return try await request(endpoint)
    }

    /// Returns the text of a successful response, decoded with the charset of the response.
    public func string(_ endpoint: Endpoint) async throws(NetworkError) -> String {
        try await request(TypedEndpoint(endpoint, decoding: .string))
    }

    private func bytes<Value>(of endpoint: Endpoint, as type: Value.Type) async throws(NetworkError) -> Value? {
        guard type is Data.Type else { return nil }
        let bytes: Data = try await request(endpoint)
        return bytes as? Value
    }
}
