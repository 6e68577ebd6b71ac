/// Where an interceptor runs within a call.
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
/// Interceptors of the same stage run in list order. `retry` is called once per attempt, in list order, regardless of
/// the stage.
public struct InterceptorStage: Hashable, Sendable {
    private enum Place: CaseIterable { case call, attempt, exchange, signing, sharing, sending }

    private let place: Place

    /// Around all attempts of a call. Changes to the request apply to each of them.
    ///
    /// `next` makes attempts until one is accepted, and otherwise throws the call's error.
    public static let call = InterceptorStage(place: .call)
    /// Around each attempt, with all its redirects. The default.
    public static let attempt = InterceptorStage(place: .attempt)
    /// Around each exchange, including redirects. Use it for rules about a host.
    public static let exchange = InterceptorStage(place: .exchange)
    /// Around each exchange, after all other hooks that change its request, so that a signature covers all changes.
    public static let signing = InterceptorStage(place: .signing)
    /// Between signing and the cache: for interceptors that compare requests exactly as sent.
    package static let sharing = InterceptorStage(place: .sharing)
    /// Around each exchange that reaches the server. Cached responses skip it. Use it for limits.
    public static let sending = InterceptorStage(place: .sending)

    /// All stages, in request order.
    static var inOrder: [InterceptorStage] { Place.allCases.map { InterceptorStage(place: $0) } }
}
