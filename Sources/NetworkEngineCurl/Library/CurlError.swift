/// An error of libcurl, as the cause of a `NetworkError`.
///
/// ```swift
/// if let cause = error.underlying as? CurlError { print(cause.code) }
/// ```
public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of a `CURLE_…`.
    public let code: Int32
    /// libcurl's own words; they may hold an address.
    public let message: String

    public init(code: Int32, message: String = "") {
        self.code = code
        self.message = message
    }

    /// The code alone, since this ends up in logs.
    public var description: String { "CURLcode \(code)" }
}
