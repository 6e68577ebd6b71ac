package import Foundation

extension TLSPolicy.Pin {
    /// Whether a certificate in DER form matches this pin.
    package func matches(certificate: Data) -> Bool {
        guard let digest else { return false }
        switch self {
        case .publicKey:
            return CertificateFields(der: certificate).map { SHA256.digest(of: $0.publicKeyInfo) } == digest
        case .certificate:
            return SHA256.digest(of: certificate) == digest
        }
    }
}

extension Data {
    /// The certificates in PEM text, in DER form. Blocks of other kinds are skipped.
    package var certificatesInPEM: [Data] {
        String(decoding: self, as: UTF8.self)
            .components(separatedBy: "-----BEGIN CERTIFICATE-----")
            .dropFirst()
            .compactMap { block in
                guard let end = block.range(of: "-----END CERTIFICATE-----") else { return nil }
                return Data(base64Encoded: String(block[..<end.lowerBound]), options: .ignoreUnknownCharacters)
            }
    }
}
