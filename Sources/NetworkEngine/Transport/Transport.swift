/// One exchange with a server: a request is sent, and its response is returned.
///
/// A transport never follows a redirect and never retries. A status of any kind is a response, not an error. When the
/// task that awaits it is canceled, it stops and throws. It calls `reportActivity()` on the context when bytes are
/// sent or received: the timeout limits the time between these reports.
///
/// ```swift
/// struct Canned: Transport {
///     func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
///         HTTPResponse(statusCode: 200, body: .data(Data("{}".utf8)), request: request)
///     }
/// }
/// ```
/// The engine runs a transport in a task that it can abandon. A timeout or a deadline therefore ends a call even if the
/// transport ignores cancellation.
public protocol Transport: Sendable {
    /// Sends a request and returns its response, whatever its status. Throws if it gets no response.
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse

    /// Throws the error that every send would throw because of how the transport was configured. Does nothing by
    /// default.
    func validate() throws(NetworkError)
}

extension Transport {
    public func validate() throws(NetworkError) {}
}

/// A transport of this package, which the engine runs without a separate task.
///
/// It calls `admitted()` when a request leaves its queue, and stops when the context's limits expire.
package protocol TransportDriver: Transport {
    /// The identity that all copies with the same connections share while one of them exists.
    var identity: ObjectIdentifier? { get }
}

/// A transport that calls `admitted()` itself as soon as an answer takes time.
package protocol SelfAdmittingTransport {}

extension Transport {
    /// The identity to compare transports by; `nil` if the transport does not provide one.
    var sharedIdentity: ObjectIdentifier? {
        if let driver = self as? any TransportDriver { return driver.identity }
        return type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
    }
}

/// A transport that asks for another protocol if the context of an exchange offers one.
package protocol UpgradingTransport: Transport {}
