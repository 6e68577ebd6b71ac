public import Foundation

/// What goes on the wire: one message to one address.
///
/// Interceptors receive it, change it and hand it on. What is not legal in HTTP is found before any I/O.
public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    public var url: URL
    public var headers: HTTPHeaders
    public var body: RequestBody
    /// The time one attempt may take; `nil` leaves it to the configuration.
    public var timeout: Duration?

    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: RequestBody = .none,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, without credentials and secret query values.
    public var description: String { "\(method) \(Redaction.describe(url))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["request": description, "headers": headers.description], displayStyle: .struct)
    }
}
