import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockFailureTests {
    private static let failures: [TransportFailure] =
        [
            .dns, .connect, .tls, .lostBeforeResponse, .lostMidBody, .protocolViolation, .contentCoding, .requestBody,
            .limitExceeded, .offline, .unknown,
        ] + TransportFailure.CertificateProblem.allCases.map { .tlsCertificate($0) }
        + TransportFailure.TimeoutPhase.allCases.map { .timeout($0) }

    @Test(arguments: failures)
    func `every failure of an exchange has its kind`(failure: TransportFailure) async {
        let error = await #expect(throws: NetworkError.self) {
            try await MockTransport(.failure(failure)).ask(.get, "/a")
        }
        #expect(error?.kind == failure.kind)
        #expect(error?.transportFailure == failure)
        #expect(error?.request?.url.path == "/a")
    }

    @Test(arguments: NetworkError.Kind.allCases)
    func `an error of any kind is thrown with its request`(kind: NetworkError.Kind) async {
        let mock = MockTransport(.failure(NetworkError(kind: kind, reason: "because")))
        let error = await #expect(throws: NetworkError.self) { try await mock.ask(.get, "/a") }
        #expect(error?.kind == kind && error?.reason == "because")
        #expect(error?.request?.url.path == "/a")
    }

    @Test func `a foreign error is thrown unchanged`() async {
        struct Foreign: Error, Equatable { let code = 7 }
        await #expect(throws: Foreign()) { try await MockTransport(.failure(Foreign())).ask() }
        await #expect(throws: Foreign()) { try await MockTransport(.handler { _ in throw Foreign() }).ask() }
    }

    @Test func `a value that cannot be encoded fails when it is requested`() async {
        await #expect(throws: EncodingError.self) { try await MockTransport(.json([Double.nan])).ask() }
    }

    @Test func `a body larger than allowed is a limit`() async {
        var limits = TransferLimits()
        limits.bodyInMemory = 3
        let context = TransportContext(limits: limits)
        let error = await #expect(throws: NetworkError.self) {
            try await MockTransport(.status(200, body: "four")).ask(context: context)
        }
        #expect(error?.transportFailure == .limitExceeded)
    }
}
