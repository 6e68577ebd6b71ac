import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineBackground

@Suite(.timeLimit(.minutes(5))) struct BackgroundDownloadTests {
    private func download(
        _ text: String,
        in folder: URL,
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) throws -> BackgroundDownload {
        let file = folder.appendingPathComponent("CFNetworkDownload_1.tmp")
        try Data(text.utf8).write(to: file)
        let url = try #require(URL(string: "https://example.com/report.pdf"))
        return BackgroundDownload(file: file, status: status, headers: headers, request: HTTPRequest(url: url))
    }

    private func files(in folder: URL) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }

    @Test func `the file is at its destination`() throws {
        let folder = try TemporaryFolder()
        let goal = folder.url.appendingPathComponent("new/report.pdf")
        let result = try download("abc", in: folder.url)
            .placed(at: .file(at: goal), in: folder.url, validation: .success)
        let response = try result.get()
        guard case .file(goal) = response.body else {
            Issue.record("\(response.body)")
            return
        }
        #expect(try Data(contentsOf: goal) == Data("abc".utf8))
        #expect(files(in: folder.url) == ["new"])
    }

    @Test func `a temporary file is not the one that the system removes`() throws {
        let folder = try TemporaryFolder()
        let download = try download("abc", in: folder.url)
        let response = try download.placed(at: .temporary, in: folder.url, validation: .success).get()
        guard case .file(let url) = response.body else {
            Issue.record("\(response.body)")
            return
        }
        #expect(url != download.file)
        #expect(try Data(contentsOf: url) == Data("abc".utf8))
    }

    @Test func `the name that the server suggests cannot lead out of the folder`() throws {
        let folder = try TemporaryFolder()
        let headers: HTTPHeaders = ["Content-Disposition": "attachment; filename=\"../../evil.sh\""]
        let place = folder.url.appendingPathComponent("in", isDirectory: true)
        let result = try download("abc", in: folder.url, headers: headers)
            .placed(at: .suggested(in: place), in: folder.url, validation: .success)
        guard case .file(let url) = try result.get().body else {
            Issue.record("not a file")
            return
        }
        #expect(url.path == place.appendingPathComponent("evil.sh").path)
    }

    @Test func `the file of a status that is not accepted becomes the body of the error`() throws {
        let folder = try TemporaryFolder()
        let goal = folder.url.appendingPathComponent("report.pdf")
        let result = try download("gone", in: folder.url, status: 404)
            .placed(at: .file(at: goal), in: folder.url, validation: .success)
        let error = #expect(throws: NetworkError.self) { try result.get() }
        #expect(error?.kind == .status)
        #expect(error?.response?.text == "gone")
        #expect(files(in: folder.url) == [])
    }

    @Test func `a file with another digest does not appear`() throws {
        let folder = try TemporaryFolder()
        let goal = folder.url.appendingPathComponent("report.pdf")
        let destination = DownloadDestination.file(at: goal).verifying(.sha256(String(repeating: "0", count: 64)))
        let result = try download("abc", in: folder.url).placed(at: destination, in: folder.url, validation: .success)
        let error = #expect(throws: NetworkError.self) { try result.get() }
        #expect(error?.kind == .invalidResponse)
        #expect(files(in: folder.url) == [])
    }

    @Test func `a file at the destination is not replaced unless that is asked for`() throws {
        let folder = try TemporaryFolder()
        let goal = folder.url.appendingPathComponent("report.pdf")
        try Data("old".utf8).write(to: goal)
        let kept = try download("new", in: folder.url)
            .placed(at: .file(at: goal), in: folder.url, validation: .success)
        #expect(throws: NetworkError.self) { try kept.get() }
        #expect(try Data(contentsOf: goal) == Data("old".utf8))
        let replaced = try download("new", in: folder.url)
            .placed(at: .file(at: goal, options: [.replace]), in: folder.url, validation: .success)
        #expect(throws: Never.self) { try replaced.get() }
        #expect(try Data(contentsOf: goal) == Data("new".utf8))
        #expect(files(in: folder.url) == ["report.pdf"])
    }
}
