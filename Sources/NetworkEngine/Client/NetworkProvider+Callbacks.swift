public import Dispatch
public import Foundation

extension NetworkProvider {
    /// Starts a call and returns a handle to await its value, observe its progress and cancel it.
    public func start<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> RequestHandle<Value> {
        start(target, .json)
    }

    /// Starts a call and delivers the decoded body or the error to a callback on the main actor.
    ///
    /// The callback runs once, and never before this method returns to a caller on the main actor. After `cancel()` has
    /// returned on the main actor, the callback receives `.cancelled`.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json).deliver(toMain: completion)
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
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json).deliver(on: queue, to: completion)
    }

    /// Delivers the bytes of a successful response on the main actor.
    @discardableResult
    public func data(
        _ target: Target,
        completion: @escaping @MainActor @Sendable (Result<Data, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .data).deliver(toMain: completion)
    }

    /// Delivers the bytes of a successful response on a queue.
    @discardableResult
    public func data(
        _ target: Target,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Data, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .data).deliver(on: queue, to: completion)
    }

    /// Delivers the text of a successful response on the main actor.
    @discardableResult
    public func string(
        _ target: Target,
        completion: @escaping @MainActor @Sendable (Result<String, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .string).deliver(toMain: completion)
    }

    /// Delivers the text of a successful response on a queue.
    @discardableResult
    public func string(
        _ target: Target,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<String, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .string).deliver(on: queue, to: completion)
    }

    func start<Value: Sendable>(
        _ target: Target,
        _ decoding: ResponseDecoding<Value>,
        _ use: RequestBuilder.Use = .request,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> RequestHandle<Value> {
        let options = CallOptions(target: target, use: use, progress: progress)
        return RequestHandle(starting: options, on: engine, decoding: decoding) {
            builder, options throws(NetworkError) in try options.request(for: target, use, by: builder)
        }
    }
}
