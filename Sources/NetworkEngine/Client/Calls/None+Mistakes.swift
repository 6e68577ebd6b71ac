// A case `none` would differ from the optional's `none`, which has the same spelling and which the compiler prefers
// silently. So each case has a name that describes its effect.

extension AuthorizationRequirement {
    /// No credential is sent.
    @available(*, unavailable, renamed: "anonymous")
    @_alwaysEmitIntoClient
    public static var none: Self { .anonymous }
}

extension CachePolicy {
    /// The cache is not used.
    @available(*, unavailable, renamed: "bypass")
    @_alwaysEmitIntoClient
    public static var none: Self { .bypass }
}

extension ProxyPolicy {
    /// No proxy is used.
    @available(*, unavailable, renamed: "direct")
    @_alwaysEmitIntoClient
    public static var none: Self { .direct }
}

extension RequestBody {
    /// The body is absent.
    @available(*, unavailable, renamed: "absent")
    @_alwaysEmitIntoClient
    public static var none: Self { .absent }
}

extension ResponseValidation {
    /// All responses are accepted.
    @available(*, unavailable, renamed: "anyResponse")
    @_alwaysEmitIntoClient
    public static var none: Self { .anyResponse }
}
