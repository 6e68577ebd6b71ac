/// A target that can run itself, so that a repository needs no provider in its hands.
///
/// ```swift
/// protocol UserRepository: TargetType, NetworkRequestable where Failure == AppError {
///     static func user(id: Int) -> Self
/// }
/// ```
/// In a module whose default isolation is the main actor, the protocol and its models are declared `nonisolated`.
///
/// View models take it as `any UserRepository.Type`; mocks are another conforming enum. Take the type as a parameter or
/// stored property: Swift 6.3.1 crashes in optimised builds where the existential type is made from a concrete one and
/// used in the same function.
public protocol NetworkRequestable<Failure> {
    /// What a failed request ends with; `NetworkError` unless the app has an error of its own.
    associatedtype Failure: Error = NetworkError

    /// Runs the target and calls back once, on no particular queue.
    ///
    /// A trailing closure without a label is called on the main actor. Write `callback:` to have it called anywhere.
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

    /// Runs the target and waits for its value.
    func request<T: Decodable & Sendable>(type: T.Type) async throws(Failure) -> T
}

extension NetworkRequestable {
    /// Hands the outcome of `request(type:callback:)` on to the main actor.
    ///
    /// What was called back before it is cancelled there still arrives: only who owns the request can take it back.
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
}

/// A target that runs itself on a provider of its type; it gets the whole of `NetworkRequestable` for one property.
///
/// ```swift
/// enum LiveUsers: UserRepository, ProviderRequestable {
///     static let provider = NetworkProvider<LiveUsers>()
///     static func failure(from error: NetworkError) -> AppError { AppError(error) }
/// }
/// ```
public protocol ProviderRequestable<Failure>: TargetType, NetworkRequestable {
    /// What runs the targets of this type.
    static var provider: NetworkProvider<Self> { get }

    /// The app's error for a failed request.
    static func failure(from error: NetworkError) -> Failure
}

extension ProviderRequestable where Failure == NetworkError {
    public static func failure(from error: NetworkError) -> NetworkError { error }
}

extension ProviderRequestable {
    @discardableResult
    @_disfavoredOverload
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        Self.provider.start(self, .json).deliver { callback($0.mapError(Self.failure(from:))) }
    }

    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        onMain callback: @escaping @MainActor @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        Self.provider.start(self, .json).deliver(toMain: { callback($0.mapError(Self.failure(from:))) })
    }

    public func request<T: Decodable & Sendable>(type: T.Type) async throws(Failure) -> T {
        do throws(NetworkError) {
            return try await Self.provider.request(self, as: type)
        } catch {
            throw Self.failure(from: error)
        }
    }
}
