public import Dispatch
public import Foundation

/// A provider that throws the app's errors.
///
/// ```swift
/// let users = NetworkProvider<UserAPI>().mappingErrors(with: APIErrorMapper())
/// let user: User = try await users.request(.user(7))            // throws APIError
/// ```
public struct MappedProvider<Target: TargetType, Mapper: NetworkErrorMapper>: Sendable {
    public typealias Failure = Mapper.Failure

    /// The underlying provider.
    public let provider: NetworkProvider<Target>
    public let mapper: Mapper

    /// Returns the decoded body of a successful response.
    @concurrent
    public func request<Value: Decodable & Sendable>(
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

    /// Returns the bytes of a successful response.
    @concurrent
    public func data(_ target: Target) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await provider.data(target) }
    }

    /// Returns a successful response.
    @concurrent
    public func send(_ target: Target) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in try await provider.send(target) }
    }

    /// Delivers the decoded body or the error on the main actor, once, after this method has returned.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.request(target, as: type) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the decoded body or the error on a queue, once, after this method has returned.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.request(target, as: type, queue: queue) { completion($0.mapError(mapper.map)) }
    }
}

extension NetworkProvider {
    /// Returns a provider that throws the errors of a mapper.
    public func mappingErrors<Mapper: NetworkErrorMapper>(with mapper: Mapper) -> MappedProvider<Target, Mapper> {
        MappedProvider(provider: self, mapper: mapper)
    }
}
