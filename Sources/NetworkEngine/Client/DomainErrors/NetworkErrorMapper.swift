/// Maps the errors of a provider or client to errors of the app.
///
/// ```swift
/// struct ShopErrors: NetworkErrorMapper {
///     func map(_ error: NetworkError) -> ShopError {
///         error.problem?.type == "https://shop.test/out-of-stock" ? .outOfStock : .other(APIError(error))
///     }
/// }
/// let shop = NetworkProvider<ShopAPI>().mapErrors(with: ShopErrors())
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

extension ProviderRequestable where Failure == APIError {
    /// Returns the `APIError` for a failed request.
    public static func failure(from error: NetworkError) -> APIError { APIError(error) }
}
