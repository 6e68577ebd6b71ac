public import NetworkEngine

extension NetworkConfiguration {
    /// The cache for responses. By default nothing is stored.
    ///
    /// Set one cache in several configurations to share its responses.
    public var cache: ResponseCache? {
        get { parts[ResponseCache.self] }
        set { parts[ResponseCache.self] = newValue }
    }
}

extension ResponseCache {
    package func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange? {
        CacheLayer(self, send: rest).answer
    }
}
