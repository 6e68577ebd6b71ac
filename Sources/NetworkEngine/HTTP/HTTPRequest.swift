public import Foundation

/// What goes on the wire: one message to one address.
///
/// Interceptors receive it, change it and hand it on. What is not legal in HTTP is found before any I/O.
public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    public var url: URL
    public var headers: HTTPHeaders
    public var body: RequestBody
    /// Limits the time without any byte in either direction; the configuration's timeout where it is `nil`.
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

extension HTTPRequest {
    /// The secret parts of the request, and whether it has left its origin.
    package var marks: RequestMarks? {
        get { headers.marks }
        set { headers.marks = newValue }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, without credentials, the fragment, and the values of query items that are not known to be
    /// harmless.
    public var description: String { "\(method) \(Redaction.describe(url, hiding: marks))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["request": description, "headers": headers.description], displayStyle: .struct)
    }
}
