import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// Bodies that a transport kept in memory, but that a file is needed for.
@Suite(.timeLimit(.minutes(5))) struct DownloadPlacementTests {
    /// Never creates a file, whatever is requested.
    private struct InMemory: Transport {
        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse { .sample("body") }
    }

    private let provider = NetworkProvider<TestTarget>(InMemory())

    @Test func `a body in memory is written to a file that only its owner can read`() async throws {
        let file = try await provider.download(TestTarget(task: .downloadDestination(.temporary)))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("body".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `a task that names no destination is downloaded to a temporary file`() async throws {
        let file = try await provider.download(TestTarget())
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("body".utf8))
    }

    @Test func `a folder at the destination is never replaced`() async throws {
        let folder = try TemporaryFolder()
        let kept = try folder.file("kept.txt", "kept")
        let destination = DownloadDestination.file(at: folder.url, options: .replace)
        let error = await #expect(throws: NetworkError.self) {
            try await provider.download(TestTarget(task: .downloadDestination(destination)))
        }
        #expect(error?.kind == .invalidRequest && error?.reason.contains("there is a folder") == true)
        #expect(error?.response?.data == Data("body".utf8))
        #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
    }

    @Test(arguments: ["../x", "a/b", "/x", "..", ".", "", "a\0b", "../\u{301}x", "..\u{2F}\u{200D}x"])
    func `a name that leads out of its folder is refused`(name: String) throws {
        for folder in [URL(filePath: "/tmp/folder"), URL(filePath: "/tmp/folder/"), URL(filePath: "/")] {
            let error = try #require(throws: NetworkError.self) { try folder.file(named: name) }
            #expect(error.kind == .invalidResponse)
        }
    }

    @Test(arguments: [
        "/tmp/folder", "/tmp/folder/", "/tmp//folder//", "/tmp/a/../folder", "/", "/tmp/\u{FC}ml", "folder",
    ])
    func `every other name is accepted, with any spelling of the folder`(path: String) throws {
        let folder = URL(filePath: path)
        for name in ["x", "na\u{EF}ve.txt", "\u{1F468}\u{200D}\u{1F469}.png", "a%2Fb", "..x", "a\\b"] {
            #expect(try folder.file(named: name) == folder.appendingPathComponent(name, isDirectory: false))
        }
    }

    @Test func `the error of a destination closure is the error of the call`() async {
        let own = NetworkError(kind: .limit, reason: "enough")
        for (thrown, kind) in [(Wrong("x"), .invalidRequest), (own, .limit), (CancellationError(), .cancelled)]
            as [(any Error, NetworkError.Kind)]
        {
            let destination = DownloadDestination.custom { _ in throw thrown }
            let error = await #expect(throws: NetworkError.self) {
                try await provider.download(TestTarget(task: .downloadDestination(destination)))
            }
            #expect(error?.kind == kind)
        }
    }
}
