extension IdempotencyKey: OneWayInterceptor {}
extension OfflinePolicy: OneWayInterceptor {}
extension ClockSkew: OneWayInterceptor {}
extension TokenSource: OneWayInterceptor {}
extension TokenRefresher: OneWayInterceptor {}

extension RetryPolicy: UnadaptingInterceptor {}
extension CircuitBreaker: UnadaptingInterceptor {}
extension ConcurrencyLimit: UnadaptingInterceptor {}
extension RateLimit: UnadaptingInterceptor {}
extension Deduplication: UnadaptingInterceptor {}
extension Hedging: UnadaptingInterceptor {}
extension ClockSkew: UnadaptingInterceptor {}

extension Deduplication: SharingInterceptor {}
