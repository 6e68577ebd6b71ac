import Foundation

extension HTTPHeaders: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Field...) { self.init(elements) }
}

/// The fields of every day, in words.
///
/// ```swift
/// let headers: HTTPHeaders = [.accept("image/webp", "image/*;q=0.5"), .authorization(bearer: token)]
/// ```
extension HTTPHeaders.Field {
    /// The media types that the response may have, in order of preference.
    public static func accept(_ types: String...) -> Self { Self(name: "Accept", value: types.joined(separator: ", ")) }

    /// The languages that the response may have, in order of preference.
    public static func acceptLanguage(_ languages: String...) -> Self {
        Self(name: "Accept-Language", value: languages.joined(separator: ", "))
    }

    /// A bearer token (RFC 6750).
    ///
    /// It is sent as it is. A `TokenSource` or `TokenRefresher` asks for the token at the time of each request.
    public static func authorization(bearer token: String) -> Self {
        Self(name: "Authorization", value: "Bearer \(token)")
    }

    /// A user name and a password (RFC 7617), in UTF-8.
    public static func authorization(username: String, password: String) -> Self {
        Self(name: "Authorization", value: "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
    }

    /// The use of stored responses, such as `no-cache`.
    public static func cacheControl(_ directives: String...) -> Self {
        Self(name: "Cache-Control", value: directives.joined(separator: ", "))
    }

    /// The media type of the body.
    public static func contentType(_ type: String) -> Self { Self(name: "Content-Type", value: type) }

    /// The version that a write is meant for: an entity tag.
    public static func ifMatch(_ tag: String) -> Self { Self(name: "If-Match", value: tag) }

    /// The version that a read need not repeat: an entity tag, or `*` for a write that must not replace anything.
    public static func ifNoneMatch(_ tag: String) -> Self { Self(name: "If-None-Match", value: tag) }

    /// A part of the resource, by the positions of its first and last byte.
    public static func range(_ bytes: ClosedRange<Int64>) -> Self {
        Self(name: "Range", value: "bytes=\(bytes.lowerBound)-\(bytes.upperBound)")
    }

    /// The name of the program.
    public static func userAgent(_ name: String) -> Self { Self(name: "User-Agent", value: name) }
}
