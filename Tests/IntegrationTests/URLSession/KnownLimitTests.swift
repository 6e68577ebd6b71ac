import NetworkEngine
import Testing

#if canImport(FoundationNetworking)
/// The limits of URLSession on Linux that have no workaround, each checked to still exist: delete an entry that fails.
/// Limits that end the process are in `URLSessionCrashTests`.
@Suite(.timeLimit(.minutes(5))) struct URLSessionKnownLimits {
    struct Limit: Sendable, CustomTestStringConvertible {
        let line: String
        let what: String
        let isStillSo: @Sendable () async throws -> Bool

        var testDescription: String { "\(line): \(what)" }

        init(_ line: String, _ what: String, isStillSo: @escaping @Sendable () async throws -> Bool) {
            self.line = line
            self.what = what
            self.isStillSo = isStillSo
        }
    }

    @Test(arguments: inResponses + redirects + inMessages + onConnections)
    func `it is still so`(limit: Limit) async throws {
        #expect(try await limit.isStillSo())
    }

    @Test(.enabled(if: TLSFront.isPossible, "python3 and openssl are not installed"), arguments: onTLS)
    func `it is still so over TLS`(limit: Limit) async throws {
        #expect(try await limit.isStillSo())
    }
}
#endif
