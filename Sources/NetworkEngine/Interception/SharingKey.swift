/// What must be equal for calls of two engines to share an exchange.
package struct SharingKey: Hashable, Sendable {
    /// The identity of the transport with its connections, cookies and client certificate; `nil` if unknown.
    package var transport: ObjectIdentifier?
    /// The timeout of requests that don't set one.
    package var timeout: Duration?

    init(transport: ObjectIdentifier? = nil, timeout: Duration? = nil) {
        self.transport = transport
        self.timeout = timeout
    }
}
