/// Performs one exchange with a server: sends a request and returns its response.
///
/// A transport never follows a redirect and never retries. A response with an error status is a response, not an error.
/// When the awaiting task is canceled, the transport stops and throws. It calls `reportActivity()` on the context when
/// bytes are sent or received: the timeout limits the time between these reports.
///
/// ```swift
/// struct Canned: Transport {
///     func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
///         HTTPResponse(statusCode: 200, body: .data(Data("{}".utf8)), request: request)
///     }
/// }
/// ```
/// The engine runs a transport in a task that it can abandon. Therefore a timeout or a deadline ends a call even if the
/// transport ignores cancellation.
public protocol Transport: Sendable {
    /// Sends a request and returns its response, whatever its status. Throws if no response arrives.
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse

    /// Throws the error that every send would throw because of the transport's configuration. By default it does
    /// nothing.
    func validate() throws(NetworkError)
}

extension Transport {
    public func validate() throws(NetworkError) {}
}

/// A transport of this package, which the engine runs without a separate task.
///
/// It calls `admitted()` when a request leaves its queue, and stops when the context's limits expire.
package protocol TransportDriver: Transport {
    /// The identity shared by all copies that use the same connections, while one of them exists.
    var identity: ObjectIdentifier? { get }
}

/// A transport that calls `admitted()` itself once a response takes time.
package protocol SelfAdmittingTransport {}

extension Transport {
    /// The identity to compare transports by; `nil` if the transport does not provide one.
    var sharedIdentity: ObjectIdentifier? {
        if let driver = self as? any TransportDriver { return driver.identity }
        return type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
    }
}

/// A transport that requests another protocol if the exchange's context offers one.
package protocol UpgradingTransport: Transport {}
