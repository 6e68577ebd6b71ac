public import Dispatch
public import Foundation

/// Calls that are started, with a handle or a callback.
///
/// A callback runs once. If you start a call on the main actor, its main-actor callback never runs before the method
/// returns, and after `cancel()` returns there, the callback receives the error of a canceled call. The same holds for
/// a callback on a serial queue and callers on that queue.
extension NetworkCalling {
    /// Starts a call and returns a handle to await the decoded body, observe its progress and cancel it.
    ///
    /// ```swift
    /// let handle = provider.start(.user(7), as: User.self)
    /// let user = try await handle.value
    /// ```
    public func start<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) -> CallHandle<Value, Failure> {
        start(request, .json, settings: CallSettings())
    }

    /// Starts a call and delivers the decoded body or the error to a callback on the main actor.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .json, settings: CallSettings()).deliver(toMain: completion)
    }

    /// Starts a call and delivers the decoded body or the error to a callback on a queue.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .json, settings: CallSettings()).deliver(on: queue, to: completion)
    }

    /// Delivers the bytes of a successful response on the main actor.
    @discardableResult
    public func data(
        _ request: Request,
        completion: @escaping @MainActor @Sendable (Result<Data, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .data, settings: CallSettings()).deliver(toMain: completion)
    }

    /// Delivers the bytes of a successful response on a queue.
    @discardableResult
    public func data(
        _ request: Request,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Data, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .data, settings: CallSettings()).deliver(on: queue, to: completion)
    }

    /// Delivers the text of a successful response on the main actor.
    @discardableResult
    public func string(
        _ request: Request,
        completion: @escaping @MainActor @Sendable (Result<String, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .string, settings: CallSettings()).deliver(toMain: completion)
    }

    /// Delivers the text of a successful response on a queue.
    @discardableResult
    public func string(
        _ request: Request,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<String, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .string, settings: CallSettings()).deliver(on: queue, to: completion)
    }
}
