/// The expected digest of a downloaded file.
public enum DownloadDigest: Hashable, Sendable {
    /// A known SHA-256 in hexadecimal digits.
    case sha256(String)
    /// The SHA-256 in the server's `Repr-Digest` or `Content-Digest` (RFC 9530). Without these fields nothing is
    /// compared.
    case fromServer

    /// A file's digest differs from the expected one; the `underlying` error of the call.
    ///
    /// ```swift
    /// catch where error.underlying is DownloadDigest.Mismatch { useAnotherMirror() }
    /// ```
    public struct Mismatch: Error, Hashable {
        /// The file's SHA-256, in hexadecimal digits.
        public let found: String
        /// The expected SHA-256, in hexadecimal digits.
        public let expected: String

        /// Creates an error, for example for a mock.
        public init(found: String, expected: String) { (self.found, self.expected) = (found, expected) }
    }
}
