import Foundation

extension HTTPHeaders: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Field...) { self.init(elements) }
}

/// Common header fields.
///
/// ```swift
/// let headers: HTTPHeaders = [.accept("image/webp", "image/*;q=0.5"), .authorization(bearer: token)]
/// ```
extension HTTPHeaders.Field {
    /// The media types accepted in the response, in order of preference.
    public static func accept(_ types: String...) -> Self { Self(name: "Accept", value: types.joined(separator: ", ")) }

    /// The languages accepted in the response, in order of preference.
    public static func acceptLanguage(_ languages: String...) -> Self {
        Self(name: "Accept-Language", value: languages.joined(separator: ", "))
    }

    /// A bearer token (RFC 6750).
    ///
    /// The token is sent unchanged. A `TokenSource` or `TokenRefresher` instead gets the current token for each
    /// request.
    public static func authorization(bearer token: String) -> Self {
        Self(name: "Authorization", value: "Bearer \(token)")
    }

    /// A user name and a password (RFC 7617), in UTF-8.
    public static func authorization(username: String, password: String) -> Self {
        Self(name: "Authorization", value: "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
    }

    /// Cache directives, such as `no-cache`.
    public static func cacheControl(_ directives: String...) -> Self {
        Self(name: "Cache-Control", value: directives.joined(separator: ", "))
    }

    /// The media type of the body.
    public static func contentType(_ type: String) -> Self { Self(name: "Content-Type", value: type) }

    /// The entity tag that a resource must have for a write.
    public static func ifMatch(_ tag: String) -> Self { Self(name: "If-Match", value: tag) }

    /// The entity tag of a version that doesn't have to be read again, or `*` for a write that must not replace
    /// anything.
    public static func ifNoneMatch(_ tag: String) -> Self { Self(name: "If-None-Match", value: tag) }

    /// A part of the resource, by the positions of its first and last byte.
    public static func range(_ bytes: ClosedRange<Int64>) -> Self {
        Self(name: "Range", value: "bytes=\(bytes.lowerBound)-\(bytes.upperBound)")
    }

    /// The name of the program.
    public static func userAgent(_ name: String) -> Self { Self(name: "User-Agent", value: name) }
}
