/// An interceptor whose `adapt` and `intercept` run for every exchange, below redirects, instead of once for each attempt.
///
/// For rules about single exchanges with a host: limits, cookies, signatures over the address. They run in list order,
/// behind all interceptors that act once per attempt, wherever they stand in the list; `retry` is asked in list order.
///
/// ```swift
/// struct Hops: ExchangeInterceptor {
///     func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
///         print(request.url)                      // the address asked for, then each that a redirect leads to
///         return request
///     }
/// }
/// ```
/// What `adapt` changes is for the one exchange: the next hop starts from what the last one was before it. `intercept` calls
/// `next` once, or throws: whatever it did more would be another exchange that nobody has counted.
public protocol ExchangeInterceptor: RequestInterceptor {}
