import NetworkEngine
import Testing

#if canImport(FoundationNetworking)
/// What URLSession on Linux cannot do and nobody above it can mend, each with its line in `linux.md`, checked to be
/// still so: an entry that fails here is one to delete. What ends the process is in `URLSessionCrashTests`.
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
