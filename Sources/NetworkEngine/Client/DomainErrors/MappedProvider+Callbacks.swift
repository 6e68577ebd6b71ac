// Written by .ci/mapped-errors from NetworkProvider+Callbacks.swift. Change that file.
public import Dispatch
public import Foundation

extension MappedProvider {
    /// Starts a call and returns a handle to await its value, observe its progress and cancel it.
    public func start<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> MappedHandle<Value, Failure> {
        MappedHandle(provider.start(target, as: type), map: mapper.map)
    }

    /// Starts a call and delivers the decoded body or the error to a callback on the main actor.
    ///
    /// The callback runs once, and never before this method returns to a caller on the main actor. After `cancel()` has
    /// returned on the main actor, the callback receives `.cancelled`.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.request(target, as: type) { completion($0.mapError(mapper.map)) }
    }

    /// Starts a call and delivers the decoded body or the error to a callback on a queue.
    ///
    /// The callback runs once. On a serial queue it never runs before this method returns to a caller on that queue,
    /// and after `cancel()` has returned on that queue, the callback receives `.cancelled`.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.request(target, as: type, queue: queue) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the bytes of a successful response on the main actor.
    @discardableResult
    public func data(
        _ target: Target,
        completion: @escaping @MainActor @Sendable (Result<Data, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.data(target) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the bytes of a successful response on a queue.
    @discardableResult
    public func data(
        _ target: Target,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Data, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.data(target, queue: queue) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the text of a successful response on the main actor.
    @discardableResult
    public func string(
        _ target: Target,
        completion: @escaping @MainActor @Sendable (Result<String, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.string(target) { completion($0.mapError(mapper.map)) }
    }

    /// Delivers the text of a successful response on a queue.
    @discardableResult
    public func string(
        _ target: Target,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<String, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.string(target, queue: queue) { completion($0.mapError(mapper.map)) }
    }
}
