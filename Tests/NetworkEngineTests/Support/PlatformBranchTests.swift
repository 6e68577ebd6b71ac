#if !canImport(Darwin)
import Foundation
@testable import NetworkEngine
@testable import NetworkEngineJSON
import Testing

/// Branches of pure logic that Apple platforms don't take. `.ci/apple-branches` runs the tests with Apple's branches,
/// which must make each of these claims false.
@Suite(.timeLimit(.minutes(5))) struct PlatformBranchTests {
    private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test func `a call starts on the thread of its caller`() {
        let (caller, isImmediate) = (Self.thread, Locked(false))
        _ = Task<Void, any Error>.starting { if Self.thread == caller { isImmediate.withLock { $0 = true } } }
        #expect(isImmediate.withLock { $0 })
    }

    @Test func `a plain document is read by the fast decoder`() throws {
        #expect(try JSONDecoder().decodeFast([Int].self, from: Data("[1]".utf8)) == [1])
    }

    @Test func `SHA-256 uses libcrypto`() { #expect(LibcryptoSHA256.shared != nil) }
}
#endif
