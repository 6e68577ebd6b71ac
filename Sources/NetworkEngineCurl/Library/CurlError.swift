/// A libcurl error, as the cause of a `NetworkError`.
///
/// ```swift
/// if let cause = error.underlying as? CurlError { print(cause.code) }
/// ```
public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of a `CURLE_…` constant.
    public let code: Int32
    /// libcurl's message, which can contain a URL.
    public let message: String

    /// Creates an error, for example for a mock.
    public init(code: Int32, message: String = "") {
        self.code = code
        self.message = message
    }

    /// Only the code, because descriptions are written to logs.
    public var description: String { "CURLcode \(code)" }
}
