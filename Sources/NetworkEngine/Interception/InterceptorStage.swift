/// The place of an interceptor in a call.
///
/// A call passes the stages in this order, and its response comes back in reverse order:
///
/// | Stage | `adapt` and `intercept` run |
/// |---|---|
/// | ``call`` | once for the call, around all its attempts |
/// | ``attempt`` | for each attempt, around its redirects |
/// | ``exchange`` | for each exchange: the requested address, then each redirect |
/// | ``signing`` | for each exchange, after every other hook that changes the request |
/// | ``sending`` | for each exchange that reaches the server, below the cache |
///
/// Interceptors of one stage run in the order of their list. `retry` is called once for each attempt, in the order of
/// the list, whatever the stage.
public struct InterceptorStage: Hashable, Sendable {
    private enum Place: CaseIterable { case call, attempt, exchange, signing, sharing, sending }

    private let place: Place

    /// Around all attempts of a call. A change of the request applies to each of them.
    ///
    /// `next` makes attempts until one is accepted, and throws the error of the call otherwise.
    public static let call = InterceptorStage(place: .call)
    /// Around each attempt, with all its redirects. The default.
    public static let attempt = InterceptorStage(place: .attempt)
    /// Around each exchange, that of a redirect included. Use it for rules about a host.
    public static let exchange = InterceptorStage(place: .exchange)
    /// Around each exchange, after all other hooks that change its request, so that a signature covers what is sent.
    public static let signing = InterceptorStage(place: .signing)
    /// Between the signatures and the cache: for interceptors that compare requests as they are sent.
    package static let sharing = InterceptorStage(place: .sharing)
    /// Around each exchange that reaches the server. A response of the cache does not pass it. Use it for limits.
    public static let sending = InterceptorStage(place: .sending)

    /// All stages, in the order in which a request passes them.
    static var inOrder: [InterceptorStage] { Place.allCases.map { InterceptorStage(place: $0) } }
}
