public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension HTTPClient {
    /// The decoded body of the answer to a prepared request, which goes to the address that it has.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ urlRequest: URLRequest) async throws(NetworkError) -> Value {
        try await request(urlRequest, decoding: .json)
    }

    /// The bytes of the answer to a prepared request.
    @concurrent
    public func request(_ urlRequest: URLRequest) async throws(NetworkError) -> Data {
        try await request(urlRequest, decoding: .data)
    }

    /// What a decoding of the caller's choice makes of the answer to a prepared request.
    @concurrent
    public func request<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await value(of: ClientCall(.prepared(HTTPRequest(urlRequest)), below: baseURL), decoding)
    }

    /// The answer to a prepared request.
    @concurrent
    @discardableResult
    public func send(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPResponse {
        try await request(urlRequest, decoding: .response)
    }
}
