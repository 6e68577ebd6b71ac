import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
/// Limitations of URLSession on Linux that no wrapper can fix, each with its heading in `Linux.md`.
///
/// If a test fails here, the limitation no longer exists: delete its entry. `URLSessionCrashTests` contains the
/// responses that crash the process.
@Suite(.timeLimit(.minutes(5))) struct URLSessionKnownLimits {
    struct Limit: Sendable, CustomTestStringConvertible {
        let heading: String
        let what: String
        let isStillSo: @Sendable () async throws -> Bool

        var testDescription: String { "\(heading): \(what)" }

        init(_ heading: String, _ what: String, isStillSo: @escaping @Sendable () async throws -> Bool) {
            self.heading = heading
            self.what = what
            self.isStillSo = isStillSo
        }
    }

    static let all = inResponses + redirects + inMessages + onConnections + onTLS

    @Test(arguments: inResponses + redirects + inMessages + onConnections)
    func `the limit still exists`(limit: Limit) async throws {
        #expect(try await limit.isStillSo())
    }

    @Test(.enabled(if: TLSFront.isPossible, "python3 and openssl are not installed"), arguments: onTLS)
    func `the limit still exists over TLS`(limit: Limit) async throws {
        #expect(try await limit.isStillSo())
    }
}
#endif
