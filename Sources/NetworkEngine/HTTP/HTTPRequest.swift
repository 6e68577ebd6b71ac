public import Foundation

/// An HTTP request: one message to one address.
///
/// Interceptors receive and change it. A request that is illegal in HTTP fails before any I/O.
public struct HTTPRequest: Sendable {
    /// The absolute URL, including the query. The scheme must be `http` or `https`.
    public var url: URL
    /// The header fields.
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Connection` belong to the transport. A request that sets one of them
    /// is invalid.
    public var headers: HTTPHeaders
    /// The method, such as GET.
    public var method: HTTPMethod {
        get { details?.method ?? .get }
        set { details = Details(newValue, body, timeout) }
    }

    /// The body.
    public var body: RequestBody {
        get { details?.body ?? .absent }
        set { details = Details(method, newValue, timeout) }
    }

    /// The maximum time without any bytes in either direction; `nil` for the configuration's timeout.
    public var timeout: Duration? {
        get { details?.timeout }
        set { details = Details(method, body, newValue) }
    }

    /// One pointer, because a request passes through many stack frames. `nil` for a GET without body and timeout.
    private var details: Details?

    private final class Details: Sendable {
        let method: HTTPMethod
        let body: RequestBody
        let timeout: Duration?

        init?(_ method: HTTPMethod, _ body: RequestBody, _ timeout: Duration?) {
            if timeout == nil, body.isAbsent, method == .get { return nil }
            self.method = method
            self.body = body
            self.timeout = timeout
        }
    }

    /// Creates a request; by default a GET without headers and body.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: RequestBody = .absent,
        timeout: Duration? = nil
    ) {
        self.url = url
        self.headers = headers
        details = Details(method, body, timeout)
    }

    /// Creates a request with headers from a dictionary.
    @_disfavoredOverload
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: some TargetHeaders,
        body: RequestBody = .absent,
        timeout: Duration? = nil
    ) {
        self.init(method: method, url: url, headers: HTTPHeaders(declared: headers), body: body, timeout: timeout)
    }
}

extension HTTPRequest {
    /// The secret parts of the request, and whether it has left its origin.
    package var secrets: RequestSecrets? {
        get { headers.secrets }
        set { headers.secrets = newValue }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the URL, without credentials, fragment, and query values that may be secret.
    public var description: String { "\(method) \(Redaction.describe(url, hiding: secrets))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["request": description, "headers": headers.description], displayStyle: .struct)
    }
}

extension HTTPRequest {
    /// The header that identifies a request sent more than once.
    static let idempotencyKey = "Idempotency-Key"

    var hasIdempotencyKey: Bool { headers[Self.idempotencyKey]?.isEmpty == false }

    /// Whether the server may process the request twice. This matters if the result of the first attempt is unknown.
    package var mayHappenTwice: Bool { method.isIdempotent || hasIdempotencyKey }

    /// Whether the request can be sent again, even if the server has processed it.
    package var isRepeatable: Bool { body.isReplayable && mayHappenTwice }
}

/// The body of a request.
public enum RequestBody: Sendable {
    /// No body.
    case absent
    /// Bytes in memory.
    case data(Data)
    /// A file, read while it is sent.
    case file(URL)
    /// A stream of data chunks.
    case stream(BodyStream)

    /// Whether the request has no body. Empty data is a body.
    public var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// Whether the same bytes can be sent again.
    public var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }

    /// The bytes of a body in memory.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}

extension HTTPRequest {
    /// The value of a field, or the identity that an interceptor has assigned to it.
    ///
    /// - Parameter isEarlier: whether to return the previous identity.
    package func valueOfSender(_ field: HTTPHeaders.Field, isEarlier: Bool = false) -> String {
        guard let identity = identity(in: field) else { return field.value }
        return isEarlier ? identity.earlier ?? identity.identity : identity.identity
    }

    /// Whether the sender in a field had a different identity before.
    package var hasEarlierSender: Bool { secrets?.identities.contains { $0.earlier != nil } == true }

    /// The sender's identity that an interceptor has assigned to a field.
    func identity(in field: HTTPHeaders.Field) -> RequestSecrets.Identity? {
        secrets?.identities.last { $0.header.equalsIgnoringASCIICase(field.name) && $0.value == field.value }
    }
}
