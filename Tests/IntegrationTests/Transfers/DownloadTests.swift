import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Downloads to files, over real sockets: each file is complete, or does not exist.
@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    private let provider = NetworkProvider<FileTarget>()

    private func server(_ text: String = "new") throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.enqueue(.text(text))
        return server
    }

    private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    @Test(arguments: ["", "new", String(repeating: "long", count: 100_000)])
    func `a temporary file has the body and is readable only by its owner`(body: String) async throws {
        let server = try server(body)
        let file = try await provider.download(.download(from: server))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try text(file) == body)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `a chosen destination is created with its folders`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("a/b/report.txt")
        let file = try await provider.download(.download(from: server(), to: .file(at: place)))
        #expect(file == place)
        #expect(try text(place) == "new")
    }

    @Test func `a missing folder is an error unless folders may be created`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("a/report.txt")
        let target = FileTarget.download(from: try server(), to: .file(at: place, options: []))
        let error = await #expect(throws: NetworkError.self) { try await provider.download(target) }
        #expect(error?.reason.contains("its folder does not exist") == true, "\(String(describing: error))")
        #expect(error?.reason.contains(place.path) == true)
    }

    @Test func `an existing file stays unless it may be replaced`() async throws {
        let folder = try TemporaryFolder()
        let place = try folder.file("report.txt", "old")
        let target = FileTarget.download(from: try server(), to: .file(at: place))
        let error = await #expect(throws: NetworkError.self) { try await provider.download(target) }
        #expect(error?.reason.contains("there is a file already") == true, "\(String(describing: error))")
        #expect(try text(place) == "old")
        let replacing = FileTarget.download(from: try server(), to: .file(at: place, options: .replace))
        #expect(try await provider.download(replacing) == place)
        #expect(try text(place) == "new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["report.txt"])
    }

    @Test func `a file is replaced on another disk too`() async throws {
        let disk = URL(fileURLWithPath: "/dev/shm")
        guard FileManager.default.fileExists(atPath: disk.path) else { return }
        let place = disk.appendingPathComponent("client-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        for body in ["old", "new"] {
            let target = FileTarget.download(from: try server(body), to: .file(at: place, options: .replace))
            #expect(try await provider.download(target) == place)
            #expect(try text(place) == body)
        }
    }

    @Test func `a destination can be chosen from the head`() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url
        let destination = DownloadDestination.custom { response in
            url.appendingPathComponent("\(response.statusCode)-\(response.headers["Content-Length"] ?? "").txt")
        }
        let file = try await provider.download(.download(from: server(), to: destination))
        #expect(file.lastPathComponent == "200-3.txt")
        #expect(try text(file) == "new")
    }

    @Test func `the progress of a download rises to the total`() async throws {
        let reports = Locked<[TransferProgress]>([])
        let server = try server(String(repeating: "x", count: 1 << 20))
        let file = try await provider.download(.download(from: server)) { report in
            reports.withLock { $0.append(report) }
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let receiving = reports.withLock { $0 }.filter { $0.direction == .receiving }
        #expect(receiving.map(\.completed) == receiving.map(\.completed).sorted())
        #expect(receiving.last?.completed == 1 << 20 && receiving.last?.fraction == 1)
    }

    @Test func `a handle gives the destination and the progress of a download`() async throws {
        let handle = provider.startDownload(.download(from: try server()))
        let file = try await handle.value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try text(file) == "new")
        let last = await handle.progress.reduce(nil) { $1 }
        #expect(last?.completed == 3)
    }

    @Test func `a callback gets the destination of a download`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("a.txt")
        let target = FileTarget.download(from: try server(), to: .file(at: place))
        let result = await withCheckedContinuation { continuation in
            provider.download(target, queue: .global()) { continuation.resume(returning: $0) }
        }
        #expect(try result.get() == place)
    }
}
