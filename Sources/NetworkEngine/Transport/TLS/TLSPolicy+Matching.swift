package import Foundation

extension TLSPolicy.Pin {
    /// Whether a certificate in DER form has this mark.
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
    /// The certificates in a text of PEM blocks, in DER form; blocks of other kinds are passed over.
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
