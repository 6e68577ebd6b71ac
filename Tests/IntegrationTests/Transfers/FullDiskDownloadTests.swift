import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Downloads to a disk of 1 MiB, in a separate process.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("needs unshare and the right to mount a file system") { try await SmallDisk.isPossible() }
)
struct FullDiskDownloadTests {
    /// Makes room on the disk, and tries again.
    private struct MakesRoom: RequestInterceptor {
        let ballast: URL

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            (try? FileManager.default.removeItem(at: ballast)) == nil ? .doNotRetry : .retry
        }
    }

    @Test func `a download that goes on after a full disk has each byte once`() async throws {
        guard let folder = SmallDisk.folder else {
            let failure = try await SmallDisk.failure(of: "FullDiskDownloadTests")
            return #expect(failure == nil, "\(failure ?? "")")
        }
        let ballast = folder.appendingPathComponent("ballast")
        try Data(count: 500_000).write(to: ballast)
        let bytes = RangeServer.bytes(700_001)
        let server = try RangeServer(.init(data: bytes))
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder
        let provider = NetworkProvider<FileTarget>(
            interceptors: [MakesRoom(ballast: ballast)], configuration: configuration)
        let file = try await provider.download(.download(from: server.server, to: .temporary))
        #expect(try Data(contentsOf: file) == bytes)
        #expect(server.ranges.count == 2 && server.ranges.last != .some(nil))
    }
}
