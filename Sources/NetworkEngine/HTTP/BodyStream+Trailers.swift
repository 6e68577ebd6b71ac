import Foundation

extension BodyStream {
    /// Returns the same body with trailers, such as a checksum of the body.
    ///
    /// ```swift
    /// let body = BodyStream(chunks).withTrailers("X-Checksum") { ["X-Checksum": await checksum.value] }
    /// ```
    /// The request lists the fields in a `Trailer` header and uses chunked encoding over HTTP/1.1. A `CurlTransport`
    /// sends such a body. Every other transport of this package throws `.unsupported`, before any I/O. A mock checks
    /// the fields but doesn't record them: use a `LoopbackServer` to see them.
    ///
    /// - Parameters:
    ///   - names: the names of the fields. Fields for the message's framing, routing or credentials are not allowed.
    ///   - fields: called after the last byte of each reading. If it throws, the request fails.
    public func withTrailers(
        _ names: String...,
        fields: @escaping @Sendable @concurrent () async throws -> HTTPHeaders
    ) -> BodyStream {
        sending(Trailers(names: names, fields: fields))
    }

    /// The names of the trailers, for a transport; empty if there are none.
    public var trailerNames: [String] { trailers?.names ?? [] }

    /// The trailers of a body.
    package struct Trailers: Sendable {
        let names: [String]
        let fields: @Sendable @concurrent () async throws -> HTTPHeaders

        package init(names: [String], fields: @escaping @Sendable @concurrent () async throws -> HTTPHeaders) {
            (self.names, self.fields) = (names, fields)
        }
    }
}
