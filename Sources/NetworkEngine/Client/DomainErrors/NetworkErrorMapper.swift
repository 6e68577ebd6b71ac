/// Turns the errors of calls into errors of the app; plugged once into a provider or client.
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
    associatedtype Failure: Error
    func map(_ error: NetworkError) -> Failure
}

/// Maps to `APIError`.
public struct APIErrorMapper: NetworkErrorMapper {
    public init() {}

    public func map(_ error: NetworkError) -> APIError { APIError(error) }
}

extension NetworkErrorMapper {
    /// The value of some work, its error mapped.
    func mapping<Value>(_ work: () async throws(NetworkError) -> Value) async throws(Failure) -> Value {
        do throws(NetworkError) {
            return try await work()
        } catch {
            throw map(error)
        }
    }
}

extension ProviderRequestable where Failure == APIError {
    public static func failure(from error: NetworkError) -> APIError { APIError(error) }
}
