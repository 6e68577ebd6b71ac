// A case `none` would be another value than that of an optional with the same spelling. The compiler prefers the
// optional's, without a word. So each case says what happens instead.

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
    /// There is no body.
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
