/// The status and the fields of a response, and what they mean for its body.
package struct ResponseHead: Hashable, Sendable {
    /// The fields, as received by the driver.
    package enum Fields: Hashable, Sendable {
        case headers(HTTPHeaders)
        /// Lines with their line endings. They are parsed by the task that awaits the response, not on the driver's
        /// thread.
        case lines([UInt8], isDecoded: Bool)
    }

    package let statusCode: Int
    let fields: Fields
    /// Whether a body may follow.
    let hasBody: Bool
    /// The number of bytes that must arrive, if the head specifies it and the bytes are not decoded.
    package let bodyLength: Int64?
    /// Whether the response redirects to another URL.
    let isRedirect: Bool
    /// The rule that the head breaks.
    let fault: String?
    /// The reason why the body cannot be decoded.
    let codingFault: String?
    /// The content codings that are decoded, in lowercase.
    let decodedCodings: [String]

    package init(
        statusCode: Int,
        fields: Fields,
        hasBody: Bool,
        bodyLength: Int64?,
        isRedirect: Bool,
        fault: String? = nil,
        codingFault: String? = nil,
        decodedCodings: [String] = []
    ) {
        self.statusCode = statusCode
        self.fields = fields
        self.hasBody = hasBody
        self.bodyLength = bodyLength
        self.isRedirect = isRedirect
        self.fault = fault
        self.codingFault = codingFault
        self.decodedCodings = decodedCodings
    }

    package var headers: HTTPHeaders {
        switch fields {
        case .headers(let headers): headers
        case .lines(let lines, let isDecoded):
            HTTPHeaders(lines: lines) { name in
                // These two describe the encoded body.
                isDecoded
                    && (name.equalsIgnoringASCIICase("Content-Encoding")
                        || name.equalsIgnoringASCIICase("Content-Length"))
            }
        }
    }

    /// Whether a response with this status has a body.
    package static func hasBody(statusCode: Int, method: HTTPMethod) -> Bool {
        method != .head && statusCode != 204 && statusCode != 304 && statusCode >= 200
    }
}
