/// The digest that the bytes of a downloaded file are compared with.
public enum DownloadDigest: Hashable, Sendable {
    /// A known SHA-256 in hexadecimal digits.
    case sha256(String)
    /// The SHA-256 in the server's `Repr-Digest` or `Content-Digest` (RFC 9530). Without these fields nothing is
    /// compared.
    case fromServer

    /// A file has another digest than the expected one; the `underlying` error of the call.
    ///
    /// ```swift
    /// catch where error.underlying is DownloadDigest.Mismatch { useAnotherMirror() }
    /// ```
    public struct Mismatch: Error, Hashable {
        /// The SHA-256 of the file, in hexadecimal digits.
        public let found: String
        /// The SHA-256 that the file was to have, in hexadecimal digits.
        public let expected: String

        /// Creates an error, for example for a mock.
        public init(found: String, expected: String) { (self.found, self.expected) = (found, expected) }
    }
}
