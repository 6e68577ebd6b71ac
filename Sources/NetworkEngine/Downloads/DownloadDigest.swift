/// What the bytes of a downloaded file are compared with.
public enum DownloadDigest: Hashable, Sendable {
    /// A SHA-256 in hexadecimal digits, known beforehand.
    case sha256(String)
    /// The SHA-256 that the server's `Repr-Digest` or `Content-Digest` names (RFC 9530); without one nothing is compared.
    case fromServer
}
