import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

/// A mock server that requires Digest authentication.
struct DigestRig {
    let authority: DigestAuthority
    let mock: MockTransport

    init(
        password: String = "pa ss",
        _ change: (inout DigestAuthority.Options) -> Void = { _ in }
    ) {
        var options = DigestAuthority.Options()
        change(&options)
        let authority = DigestAuthority(password: password, options)
        self.authority = authority
        mock = MockTransport(.handler { try await authority.answer(to: $0) }.repeating())
    }

    static let digest = DigestAuth(username: "ada", password: "pa ss")

    func provider(
        _ digest: DigestAuth = Self.digest,
        _ others: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<TestTarget> {
        NetworkProvider(mock, others + [digest], change)
    }

    var findings: DigestAuthority.Findings { authority.findings }
}

extension DigestAuthority {
    /// Answers a request. The response to an accepted request is the text `ok`.
    func answer(to request: HTTPRequest) async throws -> MockAnswer {
        let decision = decide(
            method: request.method,
            target: request.requestTarget,
            authorization: request.headers["Authorization"],
            bodyDigest: hash(String(decoding: try await request.bodyBytes, as: UTF8.self))
        )
        return .status(decision.status, headers: decision.headers, body: decision.status == 200 ? "ok" : "")
    }
}

extension HTTPRequest {
    fileprivate var bodyBytes: Data {
        get async throws {
            switch body {
            case .absent: return Data()
            case .data(let data): return data
            case .file(let url): return try Data(contentsOf: url)
            case .stream(let stream):
                var bytes = Data()
                for try await piece in stream { bytes += piece }
                return bytes
            }
        }
    }
}
