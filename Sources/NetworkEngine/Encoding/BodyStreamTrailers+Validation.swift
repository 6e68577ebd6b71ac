import Foundation

extension BodyStream.Trailers {
    /// The trailers, after the body was read to its end.
    package func read() async throws -> HTTPHeaders {
        let fields = try await fields()
        if let fault = fields.fault ?? Self.fault(inNames: fields.map(\.name)) { throw Self.invalid(fault) }
        for field in fields where !names.contains(where: { $0.equalsIgnoringASCIICase(field.name) }) {
            throw Self.invalid("\(field.name.debugDescription) is not one of the names that were announced")
        }
        return fields
    }

    /// Throws for names that are not allowed in trailers.
    package func validate() throws(NetworkError) {
        if names.isEmpty { throw Self.invalid("the fields after a body need names") }
        if let fault = Self.fault(inNames: names) { throw Self.invalid(fault) }
    }

    private static func invalid(_ fault: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: "the fields after the body: \(fault)")
    }

    private static func fault(inNames names: [String]) -> String? {
        for name in names {
            guard name.isToken else { return "\(name.debugDescription) is not a token" }
            if forbidden.contains(where: { $0.equalsIgnoringASCIICase(name) }) {
                return "\(name) must be sent before the body"
            }
        }
        return nil
    }

    /// Fields that a recipient needs before the body (RFC 9110, 6.5.1).
    private static let forbidden = [
        "Connection", "Content-Length", "Transfer-Encoding", "Trailer", "TE", "Host", "Expect", "Upgrade",
        "Content-Encoding", "Content-Range", "Content-Type", "Authorization", "Proxy-Authorization", "Cookie",
        "Cache-Control", "Max-Forwards", "Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since", "If-Range", "Keep-Alive",
    ]
}
