public import Dispatch
public import Foundation
public import NetworkEngine

/// A target that answers itself from a fixture, such as the mock next to a repository's live enum.
///
/// ```swift
/// enum MockUsers: UserRepository, MockRequestable {
///     case fetchUsers(request: UserListRequest)
///     var mock: MockResponder<AppError> { MockResponder(fixture: "UserListResponse", in: .bundle(.module)) }
///     static func failure(from error: NetworkError) -> AppError { AppError(error) }
/// }
/// ```
/// Of a target's properties, only `keyDecodingStrategy` and `validation` affect the answer. `baseURL` and `path` have
/// defaults here. If the repository protocol also has defaults for them, the mock must declare them.
///
/// A canceled request ends with the app's error for `.cancelled`, passed to its callback or thrown to the awaiting
/// task.
public protocol MockRequestable<Failure>: TargetType, NetworkRequestable {
    /// The responder that answers this target.
    var mock: MockResponder<Failure> { get }

    /// Returns the app's error for a cancellation, and for a missing or invalid fixture.
    static func failure(from error: NetworkError) -> Failure
}

extension MockRequestable {
    /// An unused address, because the target answers itself.
    public var baseURL: URL { URL(string: "http://mock.test") ?? URL(fileURLWithPath: "/") }
    /// An unused path, because the target answers itself.
    public var path: String { "" }
}

extension MockRequestable where Failure == NetworkError {
    /// Returns the error unchanged.
    public static func failure(from error: NetworkError) -> NetworkError { error }
}

extension MockRequestable {
    /// Answers the target and calls back once, on an arbitrary thread.
    @discardableResult
    @_disfavoredOverload
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        MockNetworkRequest(outcome: { await result(type) }, cancelled: .failure(Self.cancelled), callback: callback)
    }

    /// Answers the target and calls back once, on the main actor.
    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        onMain callback: @escaping @MainActor @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        MockNetworkRequest(outcome: { await result(type) }, cancelled: .failure(Self.cancelled), onMain: callback)
    }

    /// Answers the target and calls back once, on a queue.
    @discardableResult
    public func request<T: Decodable & Sendable>(
        type: T.Type,
        queue: DispatchQueue,
        callback: @escaping @Sendable (Result<T, Failure>) -> Void
    ) -> any NetworkRequest {
        MockNetworkRequest(
            outcome: { await result(type) }, cancelled: .failure(Self.cancelled), queue: queue, callback: callback)
    }

    /// Answers the target and returns the value.
    public func request<T: Decodable & Sendable>(type: T.Type) async throws(Failure) -> T {
        try await mock.answer(to: self, as: type, failure: Self.failure(from:))
    }

    private static var cancelled: Failure { failure(from: NetworkError(kind: .cancelled)) }

    private func result<T: Decodable & Sendable>(_ type: T.Type) async -> Result<T, Failure> {
        do throws(Failure) {
            return .success(try await request(type: type))
        } catch {
            return .failure(error)
        }
    }
}
