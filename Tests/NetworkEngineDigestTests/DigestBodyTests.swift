import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

/// Digest authentication of requests with a body.
@Suite(.timeLimit(.minutes(5))) struct DigestBodyTests {
    private let digest = DigestAuth(username: "ada", password: "pa ss")

    private static func parts(isReplayable: Bool) -> NetworkTask {
        let stream = BodyStream(length: 3, isReplayable: isReplayable) {
            AsyncThrowingStream { continuation in
                continuation.yield(Data("abc".utf8))
                continuation.finish()
            }
        }
        return .uploadMultipart([
            .init(provider: .data(Data("x".utf8)), name: "a"), .init(provider: .stream(stream), name: "b"),
        ])
    }

    @Test(arguments: ["auth-int", "auth-int, auth"], ["MD5", "SHA-256-sess"])
    func `bodies in memory, in files and in streams are answered`(qop: String, algorithm: String) async throws {
        let rig = DigestRig { ($0.qop, $0.algorithm) = (qop, algorithm) }
        let folder = try TemporaryFolder()
        let file = try folder.file("a", String(repeating: "0123456789", count: 20_000))
        for task in [.requestPlain, .requestData(Data("body".utf8)), .uploadFile(file), Self.parts(isReplayable: true)]
            as [NetworkTask]
        {
            let target = TestTarget(method: .post, task: task)
            _ = try await rig.provider(digest).send(target)
        }
        #expect(rig.findings.accepted == 4 && rig.findings.challenges == 1 && rig.findings.rejected == 0)
        let used = Set(rig.findings.answers.map { $0["qop"] })
        #expect(used == [qop == "auth-int" ? "auth-int" : "auth"])
    }

    @Test func `a body that can be read once needs a known challenge`() async throws {
        let rig = DigestRig()
        let target = TestTarget(method: .post, task: Self.parts(isReplayable: false))
        let error = await rig.provider(digest).failure(target)
        #expect(error?.kind == .authentication && error?.reason.contains("read only once") == true)
        #expect(rig.mock.requests.isEmpty)
        _ = try await rig.provider(digest).send(TestTarget())
        _ = try await rig.provider(digest).send(target)
        #expect(rig.findings.accepted == 2 && rig.mock.requests.count == 3)
    }

    @Test func `a body that can be read once is sent without an answer if authorization is optional`() async {
        let mock = MockTransport(.status(204))
        let target = TestTarget(
            method: .post, task: Self.parts(isReplayable: false), authorization: .optional)
        let error = await NetworkProvider<TestTarget>(mock, [digest]).failure(target)
        #expect(error == nil && mock.requests.count == 1)
    }

    @Test func `a body that can be read once is refused with auth-int`() async throws {
        let rig = DigestRig { $0.qop = "auth-int" }
        _ = try await rig.provider(digest).send(TestTarget())
        let target = TestTarget(method: .post, task: Self.parts(isReplayable: false))
        let error = await rig.provider(digest).failure(target)
        #expect(error?.kind == .authentication && error?.reason.contains("digest of the body") == true)
        #expect(rig.mock.requests.count == 2)
    }

    @Test func `a compressed body is digested as it is sent`() async throws {
        let rig = DigestRig { $0.qop = "auth-int" }
        let body = Data(String(repeating: "abc", count: 2000).utf8)
        let authority = rig.authority
        let mock = MockTransport(
            .handler { request in
                var hasher = MD5()
                (request.body.data ?? Data()).withUnsafeBytes { hasher.update($0) }
                let decision = authority.decide(
                    method: request.method, target: request.requestTarget,
                    authorization: request.headers["Authorization"], bodyDigest: hasher.digest.hexadecimal)
                return .status(decision.status, headers: decision.headers)
            }.repeating())
        let compressing = NetworkProvider<TestTarget>(mock, [digest, RequestCompression(.gzip)])
        _ = try await compressing.send(TestTarget(method: .put, task: .requestData(body)))
        #expect(mock.requests.last?.headers["Content-Encoding"] == "gzip" && authority.findings.accepted == 1)
    }
}
