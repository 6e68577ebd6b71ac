import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct SHA1Tests {
    private static func digest(of bytes: [UInt8], cutAt size: Int) -> String {
        var digest = SHA1()
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { digest.update($0) }
            rest = rest.dropFirst(size)
        }
        return digest.digest.hexadecimal
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "a49b2446a02c645bf419f995b67091253a04a259"
        ),
        ("The quick brown fox jumps over the lazy dog", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func `the digests of the standard's examples are right`(text: String, digest: String) {
        #expect(SHA1.hexadecimal(of: text) == digest)
    }

    @Test func `the sizes of the pieces do not change a digest`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        for length in [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 300] {
            let bytes = Array(bytes.prefix(length))
            #expect(Set([1, 3, 63, 64, 65, 128, 1000].map { Self.digest(of: bytes, cutAt: $0) }).count == 1)
        }
    }

    @Test func `a digest can be read between two pieces`() {
        var digest = SHA1()
        Array("ab".utf8).withUnsafeBytes { digest.update($0) }
        let early = digest.digest
        Array("c".utf8).withUnsafeBytes { digest.update($0) }
        #expect(early.hexadecimal == SHA1.hexadecimal(of: "ab"))
        #expect(digest.digest.hexadecimal == SHA1.hexadecimal(of: "abc"))
    }
}
