/// Which redirects are followed.
public struct RedirectPolicy: Hashable, Sendable {
    /// How many hops are made before the call fails with `.redirect`.
    public var limit: Int
    /// Whether an `https` address may lead to an `http` one.
    public var allowsInsecureDowngrade = false

    public init(limit: Int = 20) { self.limit = limit }

    /// Up to 20 hops, never from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// A redirect is a response like any other.
    public static let never = RedirectPolicy(limit: 0)
}
