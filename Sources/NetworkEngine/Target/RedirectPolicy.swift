/// Which redirects are followed, and what they send to other origins.
///
/// ```swift
/// configuration.redirects.headersToOtherOrigins = ["X-Client-Version"]
/// ```
/// A target or an endpoint can have its own policy.
///
/// Another origin means another scheme, host or port. A redirect to another origin carries only header fields that are
/// known to be harmless: `Accept…`, `User-Agent`, `Range`, the conditions (`If-…`), `Cache-Control`, `Pragma`,
/// `Last-Event-ID`, trace context, and `Content-…` with a body. Credentials that a `TokenSource` or `TokenRefresher`
/// placed in a header, the query or the body are never sent there. A credential refresh never follows a redirect to
/// another origin.
///
/// A redirect is followed as soon as its head arrives. Its body is dropped, so it can neither fail nor delay the call.
/// URLSession on Linux waits for the end of the body.
public struct RedirectPolicy: Hashable, Sendable {
    /// The maximum number of hops before the call fails with `.redirect`.
    ///
    /// Circular redirects are followed up to this limit, because a server may set a cookie and redirect to the same
    /// address.
    public var limit: Int
    /// Whether an `https` address may redirect to an `http` address.
    public var allowsInsecureDowngrade = false
    /// Additional header fields that redirects send to other origins, ignoring case.
    ///
    /// These fields are sent to any origin that a server redirects to. To trust specific origins, use
    /// `NetworkConfiguration.trustedOrigins`. Names in `NetworkConfiguration.secretNames` are never sent. A request for
    /// a link, such as `Paging.link`, does not send these fields to another origin.
    public var headersToOtherOrigins: Set<String> = []
    /// Whether a redirect that keeps the body, such as 307 and 308, may send it to another origin.
    ///
    /// If `false`, the call fails with `.redirect`.
    public var allowsBodyToOtherOrigins = false

    /// Decides about each redirect that the other rules allow. With `nil`, the default, all of them are followed.
    ///
    /// ```swift
    /// configuration.redirects.decision = { response, next in
    ///     next.url.path.hasPrefix("/login") ? nil : next
    /// }
    /// ```
    /// The closure receives the response and the request that would follow. It returns this request, a changed one, or
    /// `nil` to return the redirect as the call's response. The rules also apply to a changed request: the body and
    /// fields of the original request are not sent to another origin, and `https` does not lead to `http`. Fields that
    /// the closure adds are sent.
    ///
    /// The redirect's body is received before the closure is called.
    ///
    /// Two policies with a closure are equal only if one is a copy of the other.
    public var decision: (@Sendable (_ response: HTTPResponse, _ next: HTTPRequest) -> HTTPRequest?)? {
        get { decider?.decide }
        set { decider = newValue.map { Decider($0) } }
    }

    private var decider: Decider?

    private final class Decider: Hashable, Sendable {
        let decide: @Sendable (HTTPResponse, HTTPRequest) -> HTTPRequest?

        init(_ decide: @escaping @Sendable (HTTPResponse, HTTPRequest) -> HTTPRequest?) { self.decide = decide }

        static func == (one: Decider, other: Decider) -> Bool { one === other }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Creates a policy that follows at most this many redirects, and none from `https` to `http`.
    ///
    /// If the limit is 0 or less, redirects are returned as responses.
    public init(limit: Int = 20) { self.limit = limit }

    /// Whether every redirect's body is dropped. A decision can return a redirect, with its body, as the response.
    var followsAll: Bool { limit > 0 && decider == nil }

    /// Up to 20 hops, never from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// Redirects are not followed, but returned as responses.
    public static let never = RedirectPolicy(limit: 0)
}
