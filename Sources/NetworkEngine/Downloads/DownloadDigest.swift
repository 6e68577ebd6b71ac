/// The digest that the bytes of a downloaded file are compared with.
public enum DownloadDigest: Hashable, Sendable {
    /// A known SHA-256 in hexadecimal digits.
    case sha256(String)
    /// The SHA-256 in the server's `Repr-Digest` or `Content-Digest` (RFC 9530). Without these fields nothing is
    /// compared.
    case fromServer
}
