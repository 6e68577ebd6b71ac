public import Dispatch
public import Foundation

extension NetworkProvider {
    /// Starts a call and gives a handle to wait for its value, to follow its progress and to call it off.
    public func start<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> RequestHandle<Value> {
        start(target, .json)
    }

    /// Starts a call and delivers its outcome on the main actor, once, never from inside this.
    ///
    /// To a caller on the main actor that means after this has returned; and once `cancel()` has returned there, what is
    /// delivered is `.cancelled`.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json).deliver(toMain: completion)
    }

    /// Starts a call and delivers its outcome on a queue, once, never from inside this.
    ///
    /// To a caller on that queue, a serial one, that means after this has returned; and once `cancel()` has returned there,
    /// what is delivered is `.cancelled`.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json).deliver(on: queue, to: completion)
    }

    /// The bytes of a successful response, on the main actor.
    @discardableResult
    public func data(
        _ target: Target,
        completion: @escaping @MainActor @Sendable (Result<Data, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .data).deliver(toMain: completion)
    }

    /// The bytes of a successful response, on a queue.
    @discardableResult
    public func data(
        _ target: Target,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Data, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .data).deliver(on: queue, to: completion)
    }

    /// The text of a successful response, on the main actor.
    @discardableResult
    public func string(
        _ target: Target,
        completion: @escaping @MainActor @Sendable (Result<String, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .string).deliver(toMain: completion)
    }

    /// The text of a successful response, on a queue.
    @discardableResult
    public func string(
        _ target: Target,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<String, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .string).deliver(on: queue, to: completion)
    }
}
