import Foundation

extension DownloadDigest {
    /// Throws if the file has a different digest.
    func check(_ file: URL, of response: HTTPResponse) throws {
        guard let expected = try expected(of: response) else { return }
        let found = try Self.digest(of: file)
        guard found == expected else {
            throw NetworkError(
                kind: .invalidResponse,
                reason: "the file has another SHA-256 than the expected one",
                underlying: Mismatch(found: found.hexadecimal, expected: expected.hexadecimal)
            )
        }
    }

    private func expected(of response: HTTPResponse) throws -> [UInt8]? {
        switch self {
        case .fromServer: return response.headers.sha256
        case .sha256(let digits):
            guard let digest = [UInt8](hexadecimal: digits), digest.count == 32 else {
                throw NetworkError(
                    kind: .invalidRequest, reason: "\(digits.debugDescription) is no SHA-256 of 64 digits")
            }
            return digest
        }
    }

    /// Reads in chunks, because a file can be larger than memory.
    private static func digest(of file: URL) throws -> [UInt8] {
        let body = try BodyFile.reading(file)
        var digest = SHA256()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset: Int64 = 0
        while true {
            try Task.checkCancellation()
            let count = try buffer.withUnsafeMutableBytes { try body.read(into: $0, at: offset) }
            guard count > 0 else { return digest.digest }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += Int64(count)
        }
    }
}

extension HTTPHeaders {
    /// The SHA-256 in `Repr-Digest` or `Content-Digest` (RFC 9530): `sha-256=:…base64…:`, among others.
    fileprivate var sha256: [UInt8]? {
        // Both describe the encoded bytes, but the body was decoded.
        if contains("Content-Encoding") { return nil }
        for name in ["Repr-Digest", "Content-Digest"] {
            for member in values(for: name).flatMap({ $0.split(separator: ",") }) {
                let halves = member.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                guard halves.count == 2, halves[0].lowercased() == "sha-256" else { continue }
                let value = halves[1].prefix { $0 != ";" }
                guard value.count > 2, value.hasPrefix(":"), value.hasSuffix(":") else { continue }
                if let data = Data(base64Encoded: String(value.dropFirst().dropLast())), data.count == 32 {
                    return Array(data)
                }
            }
        }
        return nil
    }
}
