/// A provider that throws the app's errors.
///
/// ```swift
/// let users = NetworkProvider<UserAPI>().mappingErrors(with: APIErrorMapper())
/// let user: User = try await users.request(.user(7))            // throws APIError
/// ```
/// It has every method of a `NetworkProvider`. Handles, streams and events throw the app's errors, too.
public struct MappedProvider<Target: TargetType, Mapper: NetworkErrorMapper>: Sendable {
    /// The error that every call throws.
    public typealias Failure = Mapper.Failure

    /// The underlying provider.
    public let provider: NetworkProvider<Target>
    /// Maps the errors of the underlying provider.
    public let mapper: Mapper

    /// Returns a copy of the provider with additional interceptors, which run after the existing ones.
    ///
    /// Where a list can contain a policy only once, the new policy replaces the existing one.
    public func adding(_ interceptors: any RequestInterceptor...) -> MappedProvider {
        let engine = provider.engine
        let other = NetworkProvider<Target>(
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
        return MappedProvider(provider: other, mapper: mapper)
    }
}

extension NetworkProvider {
    /// Returns a provider that throws the errors of a mapper.
    public func mappingErrors<Mapper: NetworkErrorMapper>(with mapper: Mapper) -> MappedProvider<Target, Mapper> {
        MappedProvider(provider: self, mapper: mapper)
    }
}
