public import NetworkEngine

extension Cassette {
    /// A transport that plays this cassette, and sends what is to be recorded through another.
    public func transport(over live: any Transport = NetworkConfiguration().transport) -> CassetteTransport {
        CassetteTransport(self, over: live)
    }

    /// An interceptor that plays this cassette, and lets through what is to be recorded.
    public var interceptor: CassetteInterceptor { CassetteInterceptor(self) }
}
