extension IdempotencyKey: OneWayInterceptor {}
extension OfflinePolicy: OneWayInterceptor {}
extension ClockSkew: OneWayInterceptor {}
extension TokenSource: OneWayInterceptor {}
extension TokenRefresher: OneWayInterceptor {}
