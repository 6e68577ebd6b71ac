import Foundation
import NetworkEngine

/// The values that describe an HTTP exchange in OpenTelemetry, shared by metrics and spans.
enum TelemetryLabels {
    /// The method; `_OTHER` for one that OpenTelemetry does not define.
    static func method(_ method: HTTPMethod) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query: method.rawValue
        default: otherMethod
        }
    }

    static let otherMethod = "_OTHER"
}

/// The host and port of an address.
struct ServerAddress: Hashable, Sendable {
    var host: String
    var port: Int

    init(_ url: URL) {
        let origin = url.origin
        var text = origin.text
        let (name, number) = text.withUTF8 { bytes -> (String, Int?) in
            var authority = bytes[...]
            if let slash = bytes.firstIndex(of: UInt8(ascii: "/")) { authority = bytes[slash...].dropFirst(2) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[at...].dropFirst() }
            var number: Int?
            // A colon before a bracket is part of an IPv6 address.
            if let colon = authority.lastIndex(of: UInt8(ascii: ":")),
                let port = Int(String(decoding: authority[colon...].dropFirst(), as: UTF8.self))
            {
                number = port
                authority = authority[..<colon]
            }
            if authority.first == UInt8(ascii: "["), authority.last == UInt8(ascii: "]") {
                authority = authority.dropFirst().dropLast()
            }
            return (String(decoding: authority, as: UTF8.self), number)
        }
        host = name
        port = number ?? (origin.isSecure ? 443 : 80)
    }
}

/// The status and error type of a result.
struct OutcomeLabels: Hashable, Sendable {
    let statusCode: Int?
    /// The status as text, or the kind of error; `nil` for a success. For a failed connection it includes the cause.
    let errorType: String?
    /// Whether the caller canceled the call, which is not a failure.
    let isCanceled: Bool

    init(_ result: Result<HTTPResponse, NetworkError>) {
        switch result {
        case .success(let response):
            isCanceled = false
            statusCode = response.statusCode
            errorType = response.statusCode >= 400 ? String(response.statusCode) : nil
        case .failure(let error):
            isCanceled = error.kind == .cancelled
            statusCode = error.statusCode
            switch (error.kind, error.statusCode, error.transportFailure) {
            case (.status, let status?, _) where status >= 400: errorType = String(status)
            case (.connection, _, .dns?): errorType = "dns"
            case (.connection, _, .connect?): errorType = "connect"
            case (.connection, _, .lostBeforeResponse?), (.connection, _, .lostMidBody?): errorType = "lost"
            default: errorType = error.kind.rawValue
            }
        }
    }
}
