import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest

@Suite(.timeLimit(.minutes(5))) struct MessageDigestTests {
    private static func digest<Digest: MessageDigest>(of bytes: [UInt8], by type: Digest.Type, cutAt size: Int)
        -> String
    {
        var digest = type.init()
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { digest.update($0) }
            rest = rest.dropFirst(size)
        }
        return digest.digest.hexadecimal
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `the MD5 digests of RFC 1321 are right`(text: String, digest: String) {
        #expect(MD5.hexadecimal(of: text) == digest)
    }

    @Test(arguments: [
        ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (
            String(repeating: "a", count: 1_000_000),
            "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21"
        ),
    ])
    func `the SHA-512-256 digests are right`(text: String, digest: String) {
        #expect(SHA512Half.hexadecimal(of: text) == digest)
    }

    @Test(arguments: [MD5.self, SHA256.self, SHA512Half.self] as [any MessageDigest.Type])
    func `the sizes of the pieces do not change a digest`(type: any MessageDigest.Type) {
        let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        for length in [0, 1, 55, 56, 63, 64, 111, 112, 127, 128, 129, 600] {
            let bytes = Array(bytes.prefix(length))
            let digests = [1, 3, 63, 64, 65, 127, 128, 1000].map { Self.digest(of: bytes, by: type, cutAt: $0) }
            #expect(Set(digests).count == 1)
        }
    }
}
