import Foundation

extension BodyStream {
    /// Returns the same body with fields after its last byte, such as a checksum of it.
    ///
    /// ```swift
    /// let body = BodyStream(chunks).withTrailers("X-Checksum") { ["X-Checksum": await checksum.value] }
    /// ```
    /// The request names the fields in a `Trailer` header and is sent in chunks by HTTP/1.1. A `CurlTransport` sends
    /// such a body. Every other transport of this package throws `.unsupported`, before any I/O. A mock checks the
    /// fields and does not keep them: read them from a `LoopbackServer`.
    ///
    /// - Parameters:
    ///   - names: the names of the fields. A field for the message's framing, routing or credentials is not allowed.
    ///   - fields: called after the last byte of each reading. An error fails the request.
    public func withTrailers(
        _ names: String...,
        fields: @escaping @Sendable @concurrent () async throws -> HTTPHeaders
    ) -> BodyStream {
        sending(Trailers(names: names, fields: fields))
    }

    /// The names of the fields after the last byte, for a transport; empty if there are none.
    public var trailerNames: [String] { trailers?.names ?? [] }

    /// The fields after a body.
    package struct Trailers: Sendable {
        let names: [String]
        let fields: @Sendable @concurrent () async throws -> HTTPHeaders

        package init(names: [String], fields: @escaping @Sendable @concurrent () async throws -> HTTPHeaders) {
            (self.names, self.fields) = (names, fields)
        }
    }
}
