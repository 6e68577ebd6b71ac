import Foundation

/// A certificate created for these tests with `openssl`, with digests computed by `openssl`.
enum SampleCertificate {
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBijCCATGgAwIBAgIUedczFLY2xZYnxXn8XRh1ZvS9+7YwCgYIKoZIzj0EAwIw
        GjEYMBYGA1UEAwwPcGluLmV4YW1wbGUuY29tMCAXDTI2MTEyMTE0NTEwN1oYDzIx
        MjYxMDI4MTQ1MTA3WjAaMRgwFgYDVQQDDA9waW4uZXhhbXBsZS5jb20wWTATBgcq
        hkjOPQIBBggqhkjOPQMBBwNCAATMf37ALdwySMv1pHKOv9hkPiKhmslJWUpg/qDH
        9o4ZjVjockILaITO0mYqoEzcKgEJNrfY5b03tcfyO4vZO80no1MwUTAdBgNVHQ4E
        FgQUZaX59iNXL9w9V3FUCbcJnpcCtswwHwYDVR0jBBgwFoAUZaX59iNXL9w9V3FU
        CbcJnpcCtswwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBc3N7J
        i/lsfBgzeUcsvXr7I38vNNbN6RYBRZoi72kDZQIgFYmBfaLWw3HWJT+E4/+aWdDR
        y0rylSq/f+J6idrFOsg=
        -----END CERTIFICATE-----
        """
    static let publicKey = "sha256//+JS663e/uboDYC2TXpVlZTLxwT9kNvK/QaIfZsXMQjs="
    static let digest =
        "59:DE:CA:DD:4E:EE:1E:96:26:9D:5F:0F:A3:E8:5E:27:FE:60:A0:55:76:3C:F9:90:ED:EC:2B:BD:73:BD:CF:C3"
}
