/// A provider, client or mock that throws the app's errors.
///
/// ```swift
/// let users = NetworkProvider<UserAPI>().mapErrors { AppError($0) }
/// let user: User = try await users.request(.user(7))            // throws AppError
/// ```
/// It has every method of ``NetworkCalling``. Handles, streams and events throw the app's errors, too.
public struct MappedCalls<Request: Sendable, BaseFailure: Error, Failure: Error>: NetworkCalling {
    private let base: any NetworkCalling<Request, BaseFailure>
    private let map: @Sendable (BaseFailure) -> Failure

    fileprivate init(
        _ base: any NetworkCalling<Request, BaseFailure>, _ map: @escaping @Sendable (BaseFailure) -> Failure
    ) {
        (self.base, self.map) = (base, map)
    }

    @concurrent
    public func run<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(Failure) -> Value {
        do throws(BaseFailure) {
            return try await base.run(request, decoding, settings: settings)
        } catch {
            throw map(error)
        }
    }

    public func start<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) -> CallHandle<Value, Failure> {
        base.start(request, decoding, settings: settings).mapError(map)
    }

    public func failure(for error: NetworkError) -> Failure { map(base.failure(for: error)) }
}

extension NetworkCalling {
    /// Returns the same provider or client with the app's errors.
    ///
    /// ```swift
    /// let client = HTTPClient(baseURL: api).mapErrors { AppError($0) }
    /// ```
    public func mapErrors<Other: Error>(
        _ map: @escaping @Sendable (Failure) -> Other
    ) -> MappedCalls<Request, Failure, Other> {
        MappedCalls(self, map)
    }
}

extension NetworkCalling where Failure == NetworkError {
    /// Returns the same provider or client with a mapper's errors.
    ///
    /// ```swift
    /// let client = HTTPClient(baseURL: api).mapErrors(with: APIErrorMapper())
    /// ```
    public func mapErrors<Mapper: NetworkErrorMapper>(
        with mapper: Mapper
    ) -> MappedCalls<Request, NetworkError, Mapper.Failure> {
        mapErrors { mapper.map($0) }
    }
}

/// Maps the errors of a provider or client to the app's errors.
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
