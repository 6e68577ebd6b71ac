import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineBackground
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct BackgroundPlanTests {
    private func request(_ body: RequestBody, _ method: HTTPMethod = .post) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: "https://example.com/files")), body: body)
    }

    @Test func `an upload's body in memory is written to a file, which is found by the transfer`() async throws {
        let folder = try TemporaryFolder()
        let plan = try BackgroundPlan.upload(try request(.data(Data("abc".utf8))), tag: "")
        let file = try await plan.bodyFile(in: folder.url.appendingPathComponent("new"))
        let stored = try #require(BackgroundTransfer(taskDescription: plan.transfer.taskDescription))
        #expect(try Data(contentsOf: file) == Data("abc".utf8))
        #expect(stored.spool(in: folder.url.appendingPathComponent("new")) == file)
        stored.removeSpool(in: folder.url.appendingPathComponent("new"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a multipart body is written to a file whole`() async throws {
        let folder = try TemporaryFolder()
        let parts = [MultipartFormData(provider: .data(Data("Ada".utf8)), name: "name")]
        let builder = RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: QueryEncoder())
        let target = AnyTarget(
            baseURL: try #require(URL(string: "https://example.com")), path: "/form", method: .post,
            task: .uploadMultipart(parts))
        let plan = try BackgroundPlan.upload(try builder.request(for: target, use: .upload), tag: "")
        let file = try await plan.bodyFile(in: folder.url)
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text.contains("name=\"name\""))
        #expect(text.contains("Ada"))
        #expect(text.hasSuffix("--\r\n"))
    }

    private func stream(_ text: String, length: Int64) -> BodyStream {
        BodyStream(length: length) {
            AsyncThrowingStream {
                $0.yield(Data(text.utf8))
                $0.finish()
            }
        }
    }

    @Test(arguments: [2, 4] as [Int64], [true, false])
    func `a stream with fewer or more bytes than it announced is not uploaded`(
        length: Int64, isPart: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        var body = RequestBody.stream(stream("abc", length: length))
        if isPart {
            let parts = [MultipartFormData(provider: .stream(stream("abc", length: length)), name: "file")]
            body = try MultipartEncoder().encode(parts).content
        }
        let plan = try BackgroundPlan.upload(try request(body), tag: "")
        let error = await #expect(throws: NetworkError.self) { try await plan.bodyFile(in: folder.url) }
        #expect(error?.transportFailure == .requestBody && error?.figures.expectedByteCount == length)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a form is uploaded with its files as they are, beside a stream`() async throws {
        let folder = try TemporaryFolder()
        let log = try folder.file("app.log", "one")
        let parts = [
            MultipartFormData(provider: .file(log), name: "log"),
            MultipartFormData(provider: .stream(stream("abc", length: 3)), name: "file"),
        ]
        let plan = try BackgroundPlan.upload(try request(MultipartEncoder().encode(parts).content), tag: "")
        try Data("one, two".utf8).write(to: log)
        let body = try String(contentsOf: try await plan.bodyFile(in: folder.url), encoding: .utf8)
        #expect(body.contains("\r\n\r\none, two\r\n") && body.contains("\r\n\r\nabc\r\n"))
    }

    @Test func `a file is uploaded where it is, and stays`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("mine")
        try Data("abc".utf8).write(to: file)
        let plan = try BackgroundPlan.upload(try request(.file(file)), tag: "")
        let body = try await plan.bodyFile(in: folder.url)
        plan.transfer.removeSpool(in: folder.url)
        #expect(body == file)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a file that is missing fails before the transfer starts`() async throws {
        let folder = try TemporaryFolder()
        let plan = try BackgroundPlan.upload(
            try request(.file(folder.url.appendingPathComponent("missing"))), tag: "")
        let error = await #expect(throws: NetworkError.self) { try await plan.bodyFile(in: folder.url) }
        #expect(error?.transportFailure == .requestBody)
    }

    @Test func `an upload without a body is invalid`() throws {
        let request = try request(.absent)
        let error = #expect(throws: NetworkError.self) { try BackgroundPlan.upload(request, tag: "") }
        #expect(error?.kind == .invalidRequest)
    }

    @Test func `a download with a body that is not in memory is not supported`() throws {
        let request = try request(.file(URL(fileURLWithPath: "/tmp/x")))
        let error = #expect(throws: NetworkError.self) {
            try BackgroundPlan.download(request, to: .temporary, tag: "")
        }
        #expect(error?.kind == .unsupported)
    }

    @Test func `what an interceptor may have added is hidden in the request of an earlier process`() throws {
        let url = try #require(URL(string: "https://example.com/a?page=2&key=Zx81kQp2vT9mN4"))
        let request = HTTPRequest(url: url, headers: ["X-Session": "kJ8Zq1pW0sVb", "Accept": "text/plain"])
        let hidden = request.markingEverything
        let text = "\(hidden) \(hidden.headers)"
        #expect(!text.contains("kJ8Zq1pW0sVb"))
        #expect(!text.contains("Zx81kQp2vT9mN4"))
        #expect(text.contains("page=2"))
    }
}
