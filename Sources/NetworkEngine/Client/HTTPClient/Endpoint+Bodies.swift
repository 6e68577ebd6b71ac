public import Foundation

extension Endpoint {
    /// Returns the endpoint with a bearer token, which replaces an existing one. A `TokenSource` does not change it.
    public func bearer(_ token: String) -> Endpoint {
        var endpoint = self
        endpoint.headers["Authorization"] = "Bearer \(token)"
        return endpoint
    }

    /// Returns the endpoint with a value as its JSON body. Sets the content type unless the endpoint has one.
    ///
    /// Throws an error of kind `.encoding` if the encoder fails.
    public func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) -> Endpoint {
        var endpoint = self
        endpoint.body = try JSONBody.data(encoding: value, with: encoder)
        if !headers.contains("Content-Type") { endpoint.headers["Content-Type"] = JSONBody.contentType }
        return endpoint
    }
}
