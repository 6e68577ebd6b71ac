/// What an exchange depends on besides its request, by the configuration of its engine.
package struct ExchangeTerms: Hashable, Sendable {
    /// Whose connections, cookies and client certificate it has; `nil` where that is not known.
    package var transport: ObjectIdentifier?
    /// The timeout of requests that have none of their own.
    package var timeout: Duration?

    package init(transport: ObjectIdentifier? = nil, timeout: Duration? = nil) {
        self.transport = transport
        self.timeout = timeout
    }
}
