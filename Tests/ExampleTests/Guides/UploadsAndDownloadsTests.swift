import Foundation
import NetworkEngine
import NetworkEngineTesting
import NetworkEngineUploads
import TestSupport
import Testing

// sample
enum FilesAPI: TargetType {
    case avatar(image: URL, caption: String), video(URL), report

    var baseURL: URL { api }
    var path: String { "/files" }
    var method: HTTPMethod { if case .report = self { .get } else { .post } }
    var task: NetworkTask {
        switch self {
        case .avatar(let image, let caption):
            .uploadMultipart([.text(caption, name: "caption"), .init(provider: .file(image), name: "image")])
        case .video(let file): .uploadFile(file)
        case .report: .downloadDestination(.temporary)
        }
    }
}
// end

/// The samples of “Uploads and downloads”.
@Suite(.timeLimit(.minutes(5))) struct UploadsAndDownloadsTests {
    private let text = String(repeating: "0123456789", count: 1_000)

    @Test func `a file and a form are uploaded with progress`() async throws {
        let place = try TemporaryFolder()
        let (image, file) = (place.url.appendingPathComponent("a.png"), place.url.appendingPathComponent("v.mp4"))
        defer { withExtendedLifetime(place) {} }
        for file in [image, file] { try Data(text.utf8).write(to: file) }
        let server = try LoopbackServer { _ in .json(#"{"id": 7, "name": "Ada"}"#) }
        var configuration = NetworkConfiguration()
        configuration.baseURL = { _ in server.url }
        let provider = NetworkProvider<FilesAPI>(configuration: configuration)
        let fractions = Locked<[Double]>([])
        let show: @Sendable (Double) -> Void = { fraction in fractions.withLock { $0.append(fraction) } }
        // sample
        let user: User = try await provider.upload(.avatar(image: image, caption: "Me")) { progress in
            show(progress.fraction ?? 0)
        }
        try await provider.upload(.video(file))
        // end
        #expect(user.id == 7 && fractions.withLock { $0.last } == 1)
        let types = server.requests.map { $0.headers["Content-Type"]?.prefix { $0 != ";" } }
        #expect(types == ["multipart/form-data", "video/mp4"])
    }

    @Test func `a client uploads parts and files`() async throws {
        let place = try TemporaryFolder()
        let photo = place.url.appendingPathComponent("a.png")
        defer { withExtendedLifetime(place) {} }
        try Data(text.utf8).write(to: photo)
        let server = try LoopbackServer { _ in .json(#"{"id": 7, "name": "Ada"}"#) }
        let client = HTTPClient(baseURL: server.url)
        let (draft, settings) = (Draft(name: "Ada"), Data("a=b".utf8))
        // sample
        let parts: [MultipartFormData] = [
            .json(draft, name: "user"),
            MultipartFormData(provider: .data(settings), name: "settings", fileName: "a.ini", mimeType: "text/plain"),
            MultipartFormData(provider: .file(photo), name: "photo", headers: ["Content-ID": "<photo>"]),
        ]
        let user: User = try await client.upload(.post("/users").multipart(parts))
        let same: User = try await client.upload(.put("/photo").file(photo))
        // end
        #expect(user == same && server.requests.map { $0.text.contains(text) } == [true, true])
        #expect(server.requests[0].text.contains("Content-ID: <photo>"))
    }

    @Test func `an upload resumes`() async throws {
        let storage = try TemporaryFolder()
        let folder = storage.url
        defer { withExtendedLifetime(storage) {} }
        let file = try storage.file("film.mov", text)
        let uploads = LoopbackUploads(.tus, folder: folder)
        let server = try LoopbackServer(early: uploads.response) { _ in .status(404) }
        var configuration = NetworkConfiguration()
        configuration.baseURL = { _ in server.url }
        let provider = NetworkProvider<FilesAPI>(configuration: configuration)
        // sample
        let place = folder.appendingPathComponent("video.upload")
        try await provider.upload(.video(file), resuming: .file(at: place))
        // end
        #expect(try uploads.all.map { try Data(contentsOf: $0.file) } == [Data(text.utf8)])
    }

    private nonisolated struct Rows: AsyncSequence, Sendable {
        let values: [String]

        func makeAsyncIterator() -> Iterator { Iterator(values: values[...]) }

        nonisolated struct Iterator: AsyncIteratorProtocol {
            var values: ArraySlice<String>

            mutating func next() async -> String? { values.popFirst() }
        }
    }

    @Test func `a body is produced while it is sent`() async throws {
        let server = try LoopbackServer { _ in .empty }
        let client = HTTPClient(baseURL: server.url)
        let rows = Rows(values: ["a", "b"])
        // sample
        let body = BodyStream(rows.map { Data($0.utf8) }, isReplayable: true)
        _ = try await client.request(.post("/rows").body(.stream(body)))
        // end
        #expect(server.requests.first?.text == "ab")
    }

    @Test func `large uploads ask first, and texts are compressed`() async throws {
        let mock = MockTransport(.status(204))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let interceptors: [any RequestInterceptor] = [ExpectContinue(), RequestCompression(.gzip)]
        configuration.limits.bodyInFile = 2 << 30  // no download exceeds 2 GiB
        let client = HTTPClient(baseURL: api, interceptors: interceptors, configuration: configuration)
        // end
        try await client.send(.post("/").body(Data(text.utf8)))
        #expect(mock.requests.first?.headers["Content-Encoding"] == "gzip")
    }

    private enum AccountAPI: TargetType {
        case profile

        var baseURL: URL { api }
        var path: String { "/profile" }
    }

    @Test func `large files have no deadline`() async throws {
        let clock = TestClock()
        let server = try LoopbackServer { [text] request in
            guard request.path == "/files" else { return .hang }
            return .text(text).declaringLength("\(2 * text.count)").fault(.stall, at: .responseEnd)
        }
        var configuration = NetworkConfiguration()
        configuration.clock = clock
        configuration.baseURL = { _ in server.url }
        let interceptors: [any RequestInterceptor] = []
        // sample
        configuration.deadline = .seconds(30)
        let accounts = NetworkProvider<AccountAPI>(interceptors: interceptors, configuration: configuration)
        configuration.deadline = nil
        let files = NetworkProvider<FilesAPI>(interceptors: interceptors, configuration: configuration)
        // end
        let call = Task { try await accounts.request(.profile) }
        let download = files.startDownload(.report)
        _ = try await server.wait { $0.requestCount == 2 }
        await clock.untilSleeping(within: .seconds(30))
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .timeout(.deadline))
        download.cancel()
        let ended = await #expect(throws: NetworkError.self) { try await download.value }
        #expect(ended?.kind == .cancelled)
    }

    @Test func `a download goes to a file`() async throws {
        let place = try TemporaryFolder()
        let folder = place.url
        defer { withExtendedLifetime(place) {} }
        let server = try LoopbackServer { [text] _ in .text(text) }
        let client = HTTPClient(baseURL: server.url)
        let shown = Locked<Int64>(0)
        let show: @Sendable (TransferProgress) -> Void = { progress in shown.withLock { $0 = progress.completed } }
        // sample
        let destination = DownloadDestination.file(at: folder.appendingPathComponent("a.txt"), options: [.replace])
        let file = try await client.download(.get("/a.txt"), to: destination) { progress in show(progress) }
        let other = try await client.download(.get("/b.txt"), to: .suggested(in: folder))  // the server's name
        // end
        #expect(file.lastPathComponent == "a.txt" && other.lastPathComponent == "b.txt")
        #expect(try String(contentsOf: file, encoding: .utf8) == text && shown.withLock { $0 } == Int64(text.count))
    }

    @Test func `a target is downloaded with progress`() async throws {
        let server = try LoopbackServer { [text] _ in .text(text) }
        var configuration = NetworkConfiguration()
        configuration.baseURL = { _ in server.url }
        let provider = NetworkProvider<FilesAPI>(configuration: configuration)
        let fractions = Locked<[Double]>([])
        let show: @Sendable (Double) -> Void = { fraction in fractions.withLock { $0.append(fraction) } }
        // sample
        let report = try await provider.download(.report) { progress in show(progress.fraction ?? 0) }
        // end
        #expect(try Data(contentsOf: report).count == text.count && fractions.withLock { $0.last } == 1)
        try FileManager.default.removeItem(at: report)
    }

    @Test func `a handle pauses, resumes and cancels`() async throws {
        let server = try LoopbackServer { [text] _ in .text(text) }
        var configuration = NetworkConfiguration()
        configuration.baseURL = { _ in server.url }
        let provider = NetworkProvider<FilesAPI>(configuration: configuration)
        let fractions = Locked<[Double]>([])
        let show: @Sendable (Double) -> Void = { fraction in fractions.withLock { $0.append(fraction) } }
        // sample
        let download = provider.startDownload(.report)
        download.pause()
        download.resume()
        Task { for await progress in download.progress { show(progress.fraction ?? 0) } }
        let file = try await download.value
        // end
        #expect(try Data(contentsOf: file).count == text.count)
        try FileManager.default.removeItem(at: file)
    }

    @Test func `a canceled download continues later`() async throws {
        let place = try TemporaryFolder()
        let state = place.url.appendingPathComponent("report.resume")
        defer { withExtendedLifetime(place) {} }
        let text = text
        let server = try LoopbackServer { request in
            let first = text.prefix(4_000)
            guard request.headers["Range"] != "bytes=4000-" else {
                let range = "bytes 4000-\(text.count - 1)/\(text.count)"
                let rest = String(text.dropFirst(4_000))
                return .status(206, headers: ["ETag": "\"1\"", "Content-Range": range], body: rest)
            }
            return .status(200, headers: ["ETag": "\"1\""], body: String(first))
                .declaringLength("\(text.count)").fault(.stall, at: .responseEnd)
        }
        let client = HTTPClient(baseURL: server.url)
        let download = client.startDownload(.get("/report"))
        for await progress in download.progress where progress.completed >= 4_000 { break }
        // sample
        if let data = await download.cancelProducingResumeData() {
            try JSONEncoder().encode(data).write(to: state)
        }
        // end
        // sample
        let data = try JSONDecoder().decode(ResumeData.self, from: Data(contentsOf: state))
        let file = try await client.download(.get("/report"), resuming: data)
        // end
        #expect(try String(contentsOf: file, encoding: .utf8) == text && data.totalBytes == 10_000)
        try FileManager.default.removeItem(at: file)
    }

    @Test func `a file is compared with its digest`() async throws {
        let place = try TemporaryFolder()
        let file = place.url.appendingPathComponent("a")
        defer { withExtendedLifetime(place) {} }
        let client = makeClient(MockTransport(.text("test"), .text("tent")))
        let sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        // sample
        let checked = DownloadDestination.file(at: file).verifying(.sha256(sum))
        _ = try await client.download(.get("/a"), to: checked)
        // end
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: NetworkError.self) { try await client.download(.get("/a"), to: checked) }
        #expect(error != nil && !FileManager.default.fileExists(atPath: file.path))
    }
}
