public import Dispatch
public import Foundation

/// A provider whose errors are the app's.
///
/// ```swift
/// let users = NetworkProvider<UserAPI>().mappingErrors(with: APIErrorMapper())
/// let user: User = try await users.request(.user(7))            // throws APIError
/// ```
public struct MappedProvider<Target: TargetType, Mapper: NetworkErrorMapper>: Sendable {
    public typealias Failure = Mapper.Failure

    /// The provider underneath, for what this does not offer.
    public let provider: NetworkProvider<Target>
    public let mapper: Mapper

    /// The decoded body of a successful response.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await provider.request(target, as: type) }
    }

    /// Makes a call whose answer matters only by succeeding.
    @concurrent
    @discardableResult
    public func request(_ target: Target) async throws(Failure) -> UndecodedAnswer {
        try await mapper.mapping { () throws(NetworkError) -> Void in try await provider.request(target) }
        return UndecodedAnswer()
    }

    /// Makes a call whose answer matters only by succeeding, where the result has to be `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(_ target: Target) async throws(Failure) {
        try await mapper.mapping { () throws(NetworkError) -> Void in try await provider.request(target) }
    }

    /// The bytes of a successful response.
    @concurrent
    public func data(_ target: Target) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await provider.data(target) }
    }

    /// The successful response itself.
    @concurrent
    public func send(_ target: Target) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in try await provider.send(target) }
    }

    /// Delivers the decoded body on the main actor, once, never from inside this.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.request(target, as: type) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the decoded body on a queue, once, never from inside this.
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
    /// This provider with the errors that a mapper makes of its own.
    public func mappingErrors<Mapper: NetworkErrorMapper>(with mapper: Mapper) -> MappedProvider<Target, Mapper> {
        MappedProvider(provider: self, mapper: mapper)
    }
}
