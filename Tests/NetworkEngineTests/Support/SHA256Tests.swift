import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct SHA256Tests {
    private static func digest(_ bytes: [UInt8], cutAt size: Int = .max) -> String {
        var digest = SHA256()
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { digest.update($0) }
            rest = rest.dropFirst(size)
        }
        return digest.hexadecimal
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `the digests of the standard's examples are right`(text: String, digest: String) {
        #expect(Self.digest(Array(text.utf8)) == digest)
    }

    @Test func `the bytes of a digest match its digits`() {
        #expect(SHA256.digest(of: Data("abc".utf8)).prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        #expect(SHA256.digest(of: []).suffix(4) == [0x78, 0x52, 0xB8, 0x55])
    }

    @Test func `the sizes of the chunks do not change the digest`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        #expect(Set([1, 3, 55, 56, 63, 64, 65, 128, .max].map { Self.digest(bytes, cutAt: $0) }).count == 1)
    }

    @Test(.enabled(if: LibcryptoSHA256.shared != nil, "there is no libcrypto in this process"))
    func `libcrypto and the framework give the same digest`() throws {
        let library = try #require(LibcryptoSHA256.shared)
        let bytes = (0..<640).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for count in stride(from: 0, through: bytes.count, by: 64) {
            bytes.prefix(count).withUnsafeBytes { blocks in
                #expect(library.hash(SHA256Blocks.start, blocks) == SHA256Blocks.hash(SHA256Blocks.start, blocks))
            }
        }
    }
}
