#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension HTTPRequest {
    /// Throws for a legal request that URLSession cannot send.
    package func checkForURLSession() throws(NetworkError) {
        if !body.isAbsent, ["GET", "HEAD", "TRACE", "CONNECT"].contains(method.rawValue.uppercased()) {
            throw .unsupported("URLSession does not send a body with \(method)", request: self)
        }
        if method.rawValue.uppercased() == "CONNECT" {
            throw .unsupported("URLSession does not send CONNECT", request: self)
        }
        // Only a URL with brackets can contain IPv6. Reading the host of every URL would cost more than all other
        // checks.
        if URLSession.refusesIPv6Literals, url.absoluteString.utf8.contains(0x5B), url.host?.contains(":") == true {
            throw .unsupported(
                "URLSession on Linux does not take an IPv6 address as host; use a name or CurlTransport",
                request: self
            )
        }
    }

    /// The `URLRequest` of a validated request, without its body.
    package var wireWithoutBody: URLRequest { wire(with: nil) {} }

    /// The same for the system's own process, without the framework's timers: a stalled transfer is resent after the
    /// request's timeout, or after the system's.
    package var wireInBackground: URLRequest {
        var request = untimedWire
        if let timeout { request.timeoutInterval = min(max(1, timeout.inSeconds), URLSession.longestTimeout) }
        return request
    }

    /// The `URLRequest` of a validated request.
    ///
    /// - Parameter fail: called if the body becomes unreadable while it is sent, unless the stream notifies the
    ///   session.
    func wire(with body: UploadBody?, orFail fail: @escaping @Sendable () -> Void) -> URLRequest {
        var request = untimedWire
        request.timeoutInterval = URLSession.longestTimeout
        body?.attach(to: &request, orFail: fail)
        return request
    }

    private var untimedWire: URLRequest {
        var fields = headers.joined
        // Otherwise the platform declares the body as a form.
        if !self.body.isAbsent, !headers.contains("Content-Type") {
            fields["Content-Type"] = "application/octet-stream"
        }
        // Part of a coded body cannot be decoded.
        if !headers.contains("Accept-Encoding") {
            fields["Accept-Encoding"] = headers.contains("Range") ? "identity" : URLSession.offeredCodings
        }
        // A server that rejects the expectation then closes the connection, so that the platform does not resend on it.
        if URLSession.repeatsRefusedExpectations, headers.contains("Expect") { fields["Connection"] = "close" }
        var request = URLRequest(url: url.withLowercasedScheme.withoutDotSegments)
        request.httpMethod = method.rawValue
        request.allHTTPHeaderFields = fields
        return request
    }
}

extension URLSession {
    /// A week, like `URLSessionConfiguration`. The framework's timers are shorter. An infinite timeout crashes on
    /// Linux.
    static var longestTimeout: Double { 604_800 }
}

extension URL {
    /// URLSession on Linux rejects `HTTP://` as an unsupported scheme.
    fileprivate var withLowercasedScheme: URL {
        let isCapital: (UInt8) -> Bool = { (0x41...0x5A).contains($0) }
        let text = absoluteString
        guard let end = text.utf8.firstIndex(of: 0x3A), text.utf8[..<end].contains(where: isCapital) else {
            return self
        }
        return URL(string: text[..<end].lowercased() + text[end...]) ?? self
    }
}

extension NetworkError {
    package static func unsupported(_ reason: String, request: HTTPRequest? = nil) -> NetworkError {
        NetworkError(kind: .unsupported, reason: reason, request: request)
    }
}
