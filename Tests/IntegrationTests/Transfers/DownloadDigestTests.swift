import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Files that must match a digest.
@Suite(.timeLimit(.minutes(5))) final class DownloadDigestTests {
    private static let right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let base64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Downloads `abc` as `out`.
    private func download(_ digest: DownloadDigest, _ headers: HTTPHeaders = [:]) async throws -> URL {
        let server = try LoopbackServer()
        var answer = LoopbackResponse.text("abc")
        for field in headers { answer = answer.header(field.name, field.value) }
        server.enqueue(answer)
        let place = folder.url.appendingPathComponent("out")
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder.url
        let provider = NetworkProvider<FileTarget>(configuration: configuration)
        return try await provider.download(.download(from: server, to: .file(at: place).verifying(digest)))
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    @Test(
        arguments: [
            (.sha256(right), [:]), (.sha256(right.uppercased()), [:]), (.fromServer, [:]),
            (.fromServer, ["Repr-Digest": "sha-256=:\(base64):"]),
            (.fromServer, ["Content-Digest": "sha-512=:AAAA:, sha-256=:\(base64):;x=1"]),
            (.fromServer, ["Repr-Digest": "sha-256=nonsense"]),
        ] as [(DownloadDigest, HTTPHeaders)])
    func `a file with the expected digest is moved to its destination`(_ digest: DownloadDigest, _ headers: HTTPHeaders)
        async throws
    {
        #expect(try await download(digest, headers).lastPathComponent == "out")
        #expect(names == ["out"])
    }

    @Test(
        arguments: [
            (.sha256(String(repeating: "0", count: 64)), [:]),
            (.fromServer, ["Repr-Digest": "sha-256=:\(String(repeating: "A", count: 43))=:"]),
        ] as [(DownloadDigest, HTTPHeaders)])
    func `a file with another digest fails and is removed`(
        _ digest: DownloadDigest,
        _ headers: HTTPHeaders
    ) async throws {
        let error = await #expect(throws: NetworkError.self) { try await download(digest, headers) }
        #expect(error?.kind == .invalidResponse)
        // Logs group errors by reason.
        #expect(error?.reason == "the file has another SHA-256 than the expected one")
        #expect(
            error?.underlying as? DownloadDigest.Mismatch
                == .init(found: Self.right, expected: String(repeating: "0", count: 64)))
        #expect(names == [])
    }

    @Test func `an invalid digest is refused with a reason`() async throws {
        let error = await #expect(throws: NetworkError.self) { try await download(.sha256("xyz")) }
        #expect(error?.kind == .invalidRequest && error?.reason.contains("\"xyz\"") == true)
    }
}
