public import Foundation

/// What a server answered, and to which request.
///
/// A status is data here. It becomes an error in one place, after the interceptors have seen it.
public struct HTTPResponse: Sendable {
    public var statusCode: Int
    public var headers: HTTPHeaders
    public var body: ResponseBody
    /// The request as it was sent, after every interceptor and redirect.
    public var request: HTTPRequest
    /// What the exchange took, where the transport measured it.
    public var metrics: ExchangeMetrics? {
        get { measured?.metrics }
        set { measured = newValue.map(Measured.init) }
    }

    /// Behind one pointer, because a response is passed through many frames.
    private var measured: Measured?

    private final class Measured: Sendable {
        let metrics: ExchangeMetrics

        init(_ metrics: ExchangeMetrics) { self.metrics = metrics }
    }

    public init(
        statusCode: Int,
        headers: HTTPHeaders = [:],
        body: ResponseBody = .data(Data()),
        request: HTTPRequest
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.request = request
    }

    /// The bytes of a body in memory; none when it went to a file or a stream.
    public var data: Data { body.data ?? Data() }

    /// Whether a status is that of a redirect, where a `Location` says where to.
    package static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }
}

extension HTTPResponse {
    /// The response with the marks of its request, so that its headers are shown without secrets.
    package var marked: HTTPResponse {
        guard let marks = request.marks, headers.marks !== marks else { return self }
        var response = self
        response.headers.marks = marks
        return response
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// Status and request, without body and secrets.
    public var description: String { "\(statusCode) from \(request)" }

    public var customMirror: Mirror {
        let headers = marked.headers.description
        return Mirror(self, children: ["response": description, "headers": headers], displayStyle: .struct)
    }
}
