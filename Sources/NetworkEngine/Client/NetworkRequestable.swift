public import Dispatch

/// A target that runs itself, so that a repository doesn't need a reference to a provider.
///
/// ```swift
/// protocol UserRepository: TargetType, NetworkRequestable where Failure == AppError {
///     static func user(id: Int) -> Self
/// }
/// ```
/// Pass the repository to a view model as `any UserRepository.Type`. A mock is another conforming enum, which
/// implements only `request(type:callback:)`. In a module with main actor default isolation, declare the protocol and
/// its models `nonisolated`.
///
/// Pass the type as a parameter or store it in a property. In optimized builds Swift 6.3.1 crashes if one function both
/// creates the existential type from a concrete type and uses it.
public protocol NetworkRequestable<Failure> {
    /// The error of a failed request; `NetworkError` unless the app declares another type.
    associatedtype Failure: Error = NetworkError

    /// Runs the target and calls back once, on an arbitrary thread.
    ///
    /// A trailing closure without a label runs on the main actor. Write `callback:` for a callback on an arbitrary
    /// thread.
    @discardableResult
    @_disfavoredOverload
    func request<T: Decodable & Sendable>(
        type: T.Type,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest

    /// Runs the target and calls back once, on the main actor.
    @discardableResult
    func request<T: Decodable & Sendable>(
        type: T.Type,
        onMain callback: @escaping @MainActor @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest

    /// Runs the target and calls back once, on a queue.
    @discardableResult
    func request<T: Decodable & Sendable>(
        type: T.Type,
        queue: DispatchQueue,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest

    /// Runs the target and returns its value.
    func request<T: Decodable & Sendable>(type: T.Type) async throws(Failure) -> T
}

extension NetworkRequestable {
    /// Runs the target with `request(type:callback:)` and delivers the result on the main actor.
    ///
    /// A result that arrived before `cancel()` is still delivered. Only the type that runs the request can discard it.
    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        onMain callback: @escaping @MainActor @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        request(
            type: type,
            callback: { result in
                Task { @MainActor in callback(result) }
            }
        )
    }

    /// Runs the target with `request(type:callback:)` and delivers the result on the queue.
    ///
    /// A result that arrived before `cancel()` is still delivered. Only the type that runs the request can discard it.
    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        queue: DispatchQueue,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        request(type: type, callback: { result in queue.async { callback(result) } })
    }

    /// Runs the target with `request(type:callback:)` and returns the value that the callback receives.
    ///
    /// Canceling the task cancels the request. Even then, the method returns only when the callback is called.
    public func request<T: Decodable & Sendable>(type: T.Type) async throws(Failure) -> T {
        let running = Locked<(any NetworkRequest)?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Locked<CheckedContinuation<Result<T, Failure>, Never>?>(continuation)
                let request = request(
                    type: type,
                    callback: { result in
                        // If a mock calls back twice, the first result counts.
                        waiter.withLock { waiter in
                            defer { waiter = nil }
                            return waiter
                        }?.resume(returning: result)
                    })
                running.withLock { $0 = request }
                // If the task was canceled earlier, its handler had nothing to cancel.
                if Task.isCancelled { request.cancel() }
            }
        } onCancel: {
            running.withLock { $0 }?.cancel()
        }
        return try result.get()
    }
}

/// A target that runs itself on its type's provider. To conform to `NetworkRequestable`, declare only the provider
/// property.
///
/// ```swift
/// enum LiveUsers: UserRepository, ProviderRequestable {
///     static let provider = NetworkProvider<LiveUsers>()
///     static func failure(from error: NetworkError) -> AppError { AppError(error) }
/// }
/// ```
public protocol ProviderRequestable<Failure>: TargetType, NetworkRequestable {
    /// The provider that runs the targets of this type.
    static var provider: NetworkProvider<Self> { get }

    /// Returns the app's error for a failed request.
    static func failure(from error: NetworkError) -> Failure
}

extension ProviderRequestable where Failure == NetworkError {
    /// Returns the error unchanged.
    public static func failure(from error: NetworkError) -> NetworkError { error }
}

extension ProviderRequestable {
    /// Runs the target on the provider and calls back once, on an arbitrary thread.
    @discardableResult
    @_disfavoredOverload
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        Self.provider.start(self, as: type).deliver { callback($0.mapError(Self.failure(from:))) }
    }

    /// Runs the target on the provider and calls back once, on the main actor.
    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        onMain callback: @escaping @MainActor @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        Self.provider.start(self, as: type).deliver(toMain: { callback($0.mapError(Self.failure(from:))) })
    }

    /// Runs the target on the provider and calls back once, on a queue.
    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        queue: DispatchQueue,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        Self.provider.start(self, as: type).deliver(on: queue, to: { callback($0.mapError(Self.failure(from:))) })
    }

    /// Runs the target on the provider and returns its value.
    public func request<T: Decodable & Sendable>(type: T.Type) async throws(Failure) -> T {
        do throws(NetworkError) {
            return try await Self.provider.request(self, as: type)
        } catch {
            throw Self.failure(from: error)
        }
    }
}
