// Written by .ci/mapped-errors from NetworkProvider.swift. Change that file.
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension MappedProvider {
    /// Throws an error of kind `.unsupported` for conflicting interceptors or a transport that is not available.
    public func validate() throws(Failure) {
        try mapper.mappingImmediate { () throws(NetworkError) -> Void in try provider.validate() }
    }

    /// Returns the request for a target, as it is before any interceptor runs. Sends nothing.
    public func urlRequest(for target: Target) throws(Failure) -> URLRequest {
        try mapper.mappingImmediate { () throws(NetworkError) in try provider.urlRequest(for: target) }
    }

    /// Returns the decoded body of a successful response.
    ///
    /// Decodes JSON with the configuration's decoder and the target's key strategy. An optional value is `nil` for
    /// status 204 and for an empty body.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await provider.request(target, as: type) }
    }

    /// Returns the decoded body as a value that must not leave the caller's actor.
    ///
    /// The call runs off the caller's actor; the decoding runs on it. A deadline that passes during the decoding ends
    /// the call when the decoding returns.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await provider.request(target, as: type) }
    }

    /// Sends a request and ignores the body of the successful response.
    @concurrent
    @discardableResult
    public func request(_ target: Target) async throws(Failure) -> UndecodedResponse {
        try await mapper.mapping { () throws(NetworkError) -> Void in try await provider.request(target) }
        return UndecodedResponse()
    }

    /// Sends a request and ignores the body, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(_ target: Target) async throws(Failure) {
        try await mapper.mapping { () throws(NetworkError) -> Void in try await provider.request(target) }
    }

    /// Returns the value that a custom decoding makes of a successful response.
    @concurrent
    public func request<Value: Sendable>(
        _ target: Target,
        decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await provider.request(target, decoding: decoding) }
    }

    /// Returns the decoded body together with its response.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> NetworkResponse<Value> {
        try await mapper.mapping { () throws(NetworkError) in try await provider.response(target, as: type) }
    }

    /// Returns the bytes of a successful response.
    @concurrent
    public func data(_ target: Target) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await provider.data(target) }
    }

    /// Returns the text of a successful response, decoded with the charset of the response.
    @concurrent
    public func string(_ target: Target) async throws(Failure) -> String {
        try await mapper.mapping { () throws(NetworkError) in try await provider.string(target) }
    }

    /// Returns a successful response.
    @concurrent
    public func send(_ target: Target) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in try await provider.send(target) }
    }

    /// Sends a prepared request like a target's request, through interceptors, attempts and redirects.
    ///
    /// Throws for a response that the configuration's `validation` does not accept.
    @concurrent
    public func send(_ urlRequest: URLRequest) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in try await provider.send(urlRequest) }
    }

    /// Returns the head of a successful response, with a body that is read while it arrives.
    ///
    /// Attempts, redirects and the deadline apply until the head arrives. The timeout limits the time without any byte.
    /// After the head it runs only while a reader waits for bytes.
    @concurrent
    public func stream(_ target: Target) async throws(Failure) -> MappedSequence<ResponseStream, Failure> {
        mapper.mapping(try await mapper.mapping { () throws(NetworkError) in try await provider.stream(target) })
    }

    /// Returns the events that a server sends. They reconnect when a connection ends.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to the
    /// head of each connection. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ target: Target) -> MappedSequence<ServerSentEvents, Failure> {
        mapper.mapping(provider.events(target))
    }

    /// Returns the data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type
    ) -> MappedSequence<DecodedEvents<Value>, Failure> {
        mapper.mapping(provider.events(target, as: type))
    }
}
