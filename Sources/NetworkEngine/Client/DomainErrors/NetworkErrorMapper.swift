/// Maps the errors of a provider or client to errors of the app.
///
/// ```swift
/// struct ShopErrors: NetworkErrorMapper {
///     func map(_ error: NetworkError) -> ShopError {
///         error.problem?.type == "https://shop.test/out-of-stock" ? .outOfStock : .other(APIError(error))
///     }
/// }
/// let shop = NetworkProvider<ShopAPI>().mappingErrors(with: ShopErrors())
/// ```
public protocol NetworkErrorMapper<Failure>: Sendable {
    /// The app's error.
    associatedtype Failure: Error

    /// Returns the app's error for a failed call.
    func map(_ error: NetworkError) -> Failure
}

/// A mapper to `APIError`.
public struct APIErrorMapper: NetworkErrorMapper {
    /// Creates a mapper.
    public init() {}

    public func map(_ error: NetworkError) -> APIError { APIError(error) }
}

extension NetworkErrorMapper {
    /// Runs an operation and maps its error.
    package func mapping<Value>(_ operation: () async throws(NetworkError) -> Value) async throws(Failure) -> Value {
        do throws(NetworkError) {
            return try await operation()
        } catch {
            throw map(error)
        }
    }
}

extension NetworkErrorMapper {
    /// Runs an operation that does not wait, and maps its error.
    func mappingImmediate<Value>(_ operation: () throws(NetworkError) -> Value) throws(Failure) -> Value {
        do throws(NetworkError) {
            return try operation()
        } catch {
            throw map(error)
        }
    }
}

extension ProviderRequestable where Failure == APIError {
    /// Returns the `APIError` for a failed request.
    public static func failure(from error: NetworkError) -> APIError { APIError(error) }
}
