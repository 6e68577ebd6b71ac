// Written by .ci/mapped-errors from HTTPClientContract+Values.swift. Change that file.

extension MappedHTTPClient {
    /// Returns the decoded body of a successful response, of the type that is named. For `Data` it returns the bytes.
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint, as: type) }
    }

    /// Returns the text of a successful response, decoded with the charset of the response.
    public func string(_ endpoint: Endpoint) async throws(Failure) -> String {
        try await mapper.mapping { () throws(NetworkError) in try await client.string(endpoint) }
    }
}
